// Prints what sigs.k8s.io/yaml makes of JSON documents: of those on standard input, one a line,
// or with -random N of as many random ones. Each line of output is an object with the document
// (`json`) and its text (`yaml`). Documents that the library refuses are left out.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand"
	"os"
	"strings"

	"sigs.k8s.io/yaml"
)

type vector struct {
	JSON any    `json:"json"`
	YAML string `json:"yaml"`
}

func main() {
	count := flag.Int("random", 0, "number of random documents")
	seed := flag.Int64("seed", 1, "seed of the random documents")
	flag.Parse()
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	if *count > 0 {
		r := rand.New(rand.NewSource(*seed))
		for i := 0; i < *count; i++ {
			write(out, document(r, r.Intn(5)))
		}
		return
	}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<26)
	for in.Scan() {
		decoder := json.NewDecoder(strings.NewReader(in.Text()))
		decoder.UseNumber()
		var value any
		if err := decoder.Decode(&value); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		write(out, typed(value))
	}
}

// typed makes of each number what Kubernetes makes of it: an int64 where it fits, else a float64.
func typed(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for k, v := range value {
			value[k] = typed(v)
		}
	case []any:
		for i, v := range value {
			value[i] = typed(v)
		}
	case json.Number:
		if i, err := value.Int64(); err == nil {
			return i
		}
		f, _ := value.Float64()
		return f
	}
	return value
}

// write leaves out what has no stable text, too: the library's order of keys has cycles where
// digits meet letters (15a < 16 < 150 < 15a).
func write(out *json.Encoder, value any) {
	text, err := yaml.Marshal(value)
	for i := 0; i < 5; i++ {
		if again, _ := yaml.Marshal(value); err == nil && !bytes.Equal(text, again) {
			err = fmt.Errorf("unstable")
		}
	}
	if err == nil {
		err = out.Encode(vector{value, string(text)})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "left out:", err)
	}
}

func document(r *rand.Rand, depth int) any {
	kind := r.Intn(10)
	if depth == 0 {
		kind = 4 + r.Intn(6)
	}
	switch {
	case kind < 3:
		object := map[string]any{}
		for n := r.Intn(6); n > 0; n-- {
			object[key(r)] = document(r, depth-1)
		}
		return object
	case kind < 4:
		list := []any{}
		for n := r.Intn(5); n > 0; n-- {
			list = append(list, document(r, depth-1))
		}
		return list
	case kind == 4:
		return number(r)
	case kind == 5:
		return []any{nil, true, false, []any{}, map[string]any{}}[r.Intn(5)]
	}
	return text(r)
}

func number(r *rand.Rand) any {
	switch r.Intn(6) {
	case 0:
		return r.Intn(100) - 50
	case 1:
		return r.Int63() - r.Int63()
	case 2:
		return r.NormFloat64() * math.Pow10(r.Intn(60)-30)
	case 3:
		return float64(r.Intn(2000)-1000) * math.Pow10(r.Intn(24))
	case 4:
		return float64(r.Intn(2000)-1000) / math.Pow10(r.Intn(9))
	}
	return []any{0.1, 1e6, 123456.5, 1234567.5, 1e-4, 1e-5, 1e20, 1e21, math.MaxFloat64,
		math.SmallestNonzeroFloat64, uint64(math.MaxUint64), int64(math.MinInt64), 1 << 53}[r.Intn(13)]
}

// key is short for the most part.
func key(r *rand.Rand) string {
	switch r.Intn(8) {
	case 0:
		return text(r)
	case 1:
		return fmt.Sprintf("%s%d", strings.Repeat("0", r.Intn(3)), r.Intn(200))
	case 2:
		return strings.Repeat(word(r), 1+r.Intn(60))
	}
	return word(r)
}

var words = strings.Split("a b x y n yes No on OFF true null ~ Foo apps/v1 kube-system foo.bar", " ")

func word(r *rand.Rand) string { return words[r.Intn(len(words))] }

const (
	plain   = "abcdefghijklmnopqrstuvwxyz"
	numeric = "0123456789+-._:eExXobTtZz, nNaAiIfF"
	special = " \t\n-?:,[]{}#&*!|>'\"%@`~=$/\\.;()+0aé漢😀\u00a0\u0001\u001b\ufeff"
)

func text(r *rand.Rand) string {
	switch r.Intn(8) {
	case 0:
		return word(r)
	case 1:
		return runes(r, numeric, 1+r.Intn(8))
	case 2:
		return runes(r, special, r.Intn(12))
	case 3:
		return date(r)
	case 4:
		return prose(r, "\n", 60)
	case 5:
		return prose(r, " ", 60)
	case 6:
		return prose(r, special, 40)
	}
	return prose(r, " ", 5)
}

func runes(r *rand.Rand, alphabet string, n int) string {
	chars := []rune(alphabet)
	var out strings.Builder
	for ; n > 0; n-- {
		out.WriteRune(chars[r.Intn(len(chars))])
	}
	return out.String()
}

func date(r *rand.Rand) string {
	formats := []string{"%04d-%02d-%02d", "%04d-%d-%d", "%d-%d-%d", "%04d-%02d-%02dT10:%02d:00Z",
		"%04d-%d-%dt1:2:3.5+01:00", "%04d-%02d-%02d 7:8:9", "%d:%02d:%02d", "%d:%02d", "+%d.5", "0x%x", "0b%b", "0o%o",
		"0%o", "-0b%b", "%d_000", ".%d", ".%d_1", "%d.", "%de3", "1e%d", "-.%de-2"}
	format := formats[r.Intn(len(formats))]
	args := []any{r.Intn(2200), r.Intn(14), r.Intn(33), r.Intn(70)}
	return fmt.Sprintf(format, args[:strings.Count(format, "%")]...)
}

// prose is made of words, between them one of the separators (mostly a space).
func prose(r *rand.Rand, separators string, max int) string {
	var out strings.Builder
	for n := r.Intn(max); n >= 0; n-- {
		out.WriteString(runes(r, plain, 1+r.Intn(12)))
		if r.Intn(5) > 0 {
			out.WriteByte(' ')
		} else {
			out.WriteString(runes(r, separators, 1+r.Intn(2)))
		}
	}
	if r.Intn(4) > 0 {
		return strings.TrimSpace(out.String())
	}
	return out.String()
}
