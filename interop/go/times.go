package main

import "time"

const (
	// leeway is [time.leeway], in seconds.
	leeway = 300
	// maxInteger is the largest number of [time.numeric].
	maxInteger = 9007199254740991
	// documentForm is the form of [time.document].
	documentForm = "2006-01-02T15:04:05Z"
)

// readTime reads [time.document] and gives seconds since 1970. The form is
// compared byte by byte, since time.Parse also takes fractions.
func readTime(s string) (int64, bool) {
	const form = "dddd-dd-ddTdd:dd:ddZ"
	if len(s) != len(form) {
		return 0, false
	}
	for i := 0; i < len(s); i++ {
		if form[i] == 'd' {
			if s[i] < '0' || s[i] > '9' {
				return 0, false
			}
		} else if s[i] != form[i] {
			return 0, false
		}
	}
	t, err := time.Parse(documentForm, s) // a real date, hour, minute, second
	if err != nil || t.Year() < 1 {
		return 0, false
	}
	return t.Unix(), true
}

// writeTime writes seconds since 1970 in the form of [time.document]. Years
// beyond 9999 have no such form, and what comes out then equals no copy.
func writeTime(seconds int64) string {
	return time.Unix(seconds, 0).UTC().Format(documentForm)
}
