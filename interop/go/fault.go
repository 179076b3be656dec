package main

// fault is a refusal: the code that the broken rule gives ([code.form]).
// The empty fault is none.
type fault string

const none fault = ""
