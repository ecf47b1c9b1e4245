package main

import (
	"bufio"
	"encoding/json"
	"os"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/controller-tools/pkg/crd"
)

type schema struct {
	Max    int                 `json:"max"`
	Schema *v1.JSONSchemaProps `json:"schema"`
}

// truncate reads lines of {"max": …, "schema": …}, and prints them with the descriptions of their
// schemas as controller-gen writes them with that maxDescLen.
func truncate(out *json.Encoder) {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<26)
	for in.Scan() {
		var one schema
		check(json.Unmarshal(in.Bytes(), &one))
		crd.TruncateDescription(one.Schema, one.Max)
		check(out.Encode(one))
	}
}
