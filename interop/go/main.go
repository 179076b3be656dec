// The program answers the questions of the test vectors: one JSON object a line
// on standard input, one a line on standard output (the adapter protocol of
// test-vectors/draft/FORMAT.md).
package main

import (
	"bufio"
	"encoding/json"
	"io"
	"log"
	"os"
)

type question struct {
	ID        string          `json:"id"`
	Operation string          `json:"operation"`
	Input     json.RawMessage `json:"input"`
}

// verdictLine has no omitted members: null says that there is no code.
type verdictLine struct {
	ID     string      `json:"id"`
	Result string      `json:"result"`
	Reason *fault      `json:"reason"`
	Output interface{} `json:"output"`
}

type unsupportedLine struct {
	ID          string `json:"id"`
	Unsupported bool   `json:"unsupported"`
}

func main() {
	log.SetFlags(0)
	if err := serve(os.Stdin, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func serve(in io.Reader, out io.Writer) error {
	reader := bufio.NewReader(in)
	for {
		line, err := reader.ReadBytes('\n')
		if len(line) > 0 {
			if err := answerLine(line, out); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func answerLine(line []byte, out io.Writer) error {
	var q question
	if err := json.Unmarshal(line, &q); err != nil {
		return err
	}
	answer, err := ask(q)
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(answer)
}

func ask(q question) (interface{}, error) {
	operation := operations[q.Operation]
	if operation == nil {
		return unsupportedLine{q.ID, true}, nil
	}
	v, err := operation(q.Input)
	if err != nil {
		return nil, err
	}
	line := verdictLine{ID: q.ID, Result: "valid", Output: v.output}
	if !v.valid {
		line.Result = "invalid"
		if v.reason != none {
			line.Reason = &v.reason
		}
	}
	return line, nil
}
