package main

import (
	"fmt"
	"math/rand"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/markers"
)

// anyValue is a marker with a value of any type, and that value if controller-gen reads it.
type anyValue struct {
	Marker string `json:"marker"`
	Right  bool   `json:"right"`
	Value  any    `json:"value"`
}

type example struct{ Value any }

var exampleDefinition = func() *markers.Definition {
	definition, err := markers.MakeAnyTypeDefinition("kubebuilder:example", markers.DescribesField, example{})
	check(err)
	return definition
}()

var (
	words   = []string{"a", "true", "false", "truth", "1", "-2", "010", "087", "1.5", "1e3", "0x1f", "1_000", "100Mi", "1-2", "a b", "a:b", "https://a.io", `"x"`, `"1"`, "`y,z`", `"a: b"`, `"é"`, "é", "f", "-", ".5", "null", "'a'", "{}", `""`, "2026-01-01"}
	anyKeys = []string{"a", "b", `"c d"`, "`e`", "1", "true", "f-g", "h.i"}
)

// randomValue is a value of lists and maps, at most so deep.
func randomValue(r *rand.Rand, deep int) string {
	join := func(parts []string) string { return strings.Join(parts, pick(r, []string{",", ", "})) }
	switch {
	case deep == 0 || r.Intn(3) == 0:
		return pick(r, words)
	case r.Intn(2) == 0:
		entries := make([]string, r.Intn(4))
		for i := range entries {
			entries[i] = pick(r, anyKeys) + pick(r, []string{":", ": "}) + randomValue(r, deep-1)
		}
		return "{" + join(entries) + "}"
	case r.Intn(3) == 0:
		items := make([]string, 1+r.Intn(3))
		for i := range items {
			items[i] = pick(r, words)
		}
		return strings.Join(items, ";") + pick(r, []string{"", ";"})
	default:
		items := make([]string, r.Intn(4))
		first := randomValue(r, deep-1)
		for i := range items {
			items[i] = first
			if r.Intn(2) == 0 {
				items[i] = randomValue(r, deep-1)
			}
		}
		return "{" + join(items) + "}"
	}
}

func randomAny(r *rand.Rand) (one anyValue) {
	one.Marker = "+kubebuilder:example=" + randomValue(r, 3)
	if r.Intn(3) == 0 {
		one.Marker = scramble(r, one.Marker, "+kubebuilder:example=")
	}
	one.Marker = strings.TrimSpace(one.Marker)
	// It panics at some, and does not read them.
	defer func() {
		if problem := recover(); problem != nil {
			one.Right, one.Value = false, fmt.Sprint(problem)
		}
	}()
	if value, err := exampleDefinition.Parse(one.Marker); err == nil {
		one.Right, one.Value = true, value.(example).Value
	}
	return one
}
