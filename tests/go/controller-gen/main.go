// Prints what controller-gen makes of markers, as lines of JSON:
//
//	go run . -sets 400      random sets of RBAC markers in files, and the role.yaml of each
//	go run . <SETS          the same of given sets: lines of {"files": [["// +…", …], …]}
//	go run . -descriptions <SCHEMAS  schemas with descriptions of limited length
//	go run . -markers 5000  random single markers, right and wrong, and the rule each means
//	go run . -webhooks 400  random sets of webhook markers, and the manifests.yaml of each
//	go run . -given <SETS   the same of given sets, "refused" where controller-gen takes none of it
//	go run . -hooks 5000    random single webhook markers, right and wrong, and what each means
//	go run . -any 5000      random values of any type, right and wrong, and what each means
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/rbac"
	"sigs.k8s.io/yaml"
)

type set struct {
	Files     [][]string `json:"files"`
	Role      string     `json:"role,omitempty"`
	Manifests string     `json:"manifests,omitempty"`
	Refused   string     `json:"refused,omitempty"`
}

type marker struct {
	Marker string     `json:"marker"`
	Rule   *rbac.Rule `json:"rule"`
}

func main() {
	sets := flag.Int("sets", 0, "number of random sets of markers")
	markers := flag.Int("markers", 0, "number of random markers")
	hookSets := flag.Int("webhooks", 0, "number of random sets of webhook markers")
	given := flag.Bool("given", false, "read sets of webhook markers")
	anys := flag.Int("any", 0, "number of random values of any type")
	hooks := flag.Int("hooks", 0, "number of random webhook markers")
	seed := flag.Int64("seed", 1, "seed of what is random")
	descriptions := flag.Bool("descriptions", false, "truncate descriptions of schemas")
	flag.Parse()
	r := rand.New(rand.NewSource(*seed))
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	switch {
	case *descriptions:
		truncate(out)
	case *markers > 0:
		for range *markers {
			text := scrambled(r)
			line := marker{Marker: text}
			// Elsewhere controller-gen looks for a marker of another name, and finds none.
			name, _, found := strings.Cut(text, "=")
			found = found && strings.Count(name, ":") == 2
			if value, err := rbac.RuleDefinition.Parse(text); err == nil && found {
				rule := value.(rbac.Rule)
				line.Rule = &rule
			}
			check(out.Encode(line))
		}
	case *hooks > 0:
		for range *hooks {
			check(out.Encode(scrambledHook(r)))
		}
	case *anys > 0:
		for range *anys {
			check(out.Encode(randomAny(r)))
		}
	case *sets > 0:
		generate(out, randomSets(r, *sets), roles)
	case *hookSets > 0:
		generate(out, randomHookSets(r, *hookSets), manifests)
	case *given:
		generate(out, readSets(), manifests)
	default:
		generate(out, readSets(), roles)
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func readSets() (sets []set) {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<26)
	for in.Scan() {
		var one set
		check(json.Unmarshal(in.Bytes(), &one))
		sets = append(sets, one)
	}
	return sets
}

// run gives the file that a generator writes, if it writes one, or what it refuses.
type run func(generator, file string) (text, refused string)

// generate runs controller-gen itself, once for each set; done tells whether to print it.
func generate(out *json.Encoder, sets []set, done func(one *set, run run) bool) {
	tool, err := exec.Command("go", "tool", "-n", "controller-gen").Output()
	check(err)
	root, err := os.MkdirTemp("", "controller-gen")
	check(err)
	defer os.RemoveAll(root)
	check(os.WriteFile(filepath.Join(root, "go.mod"), []byte("module example.com/markers\n"), 0o644))
	for i, one := range sets {
		dir := filepath.Join(root, fmt.Sprint("set", i))
		check(os.Mkdir(dir, 0o755))
		for n, lines := range one.Files {
			text := "package markers\n\n" + strings.Join(lines, "\n") + "\n\nvar X" + fmt.Sprint(n) + " int\n"
			check(os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%d.go", n)), []byte(text), 0o644))
		}
		run := func(generator, file string) (string, string) {
			command := exec.Command(strings.TrimSpace(string(tool)), generator, "paths=.", "output:dir=out")
			command.Dir = dir
			if message, err := command.CombinedOutput(); err != nil {
				return "", fmt.Sprintf("%s: %s", err, message)
			}
			text, err := os.ReadFile(filepath.Join(dir, "out", file))
			if !os.IsNotExist(err) {
				check(err)
			}
			return string(text), ""
		}
		if done(&one, run) {
			check(out.Encode(one))
		}
	}
}

func roles(one *set, run run) bool {
	role, refused := run("rbac:roleName=manager-role", "role.yaml")
	if refused != "" {
		log.Fatalf("%s of %q", refused, one.Files)
	}
	one.Role = role
	right := lost(*one)
	if right != "" {
		fmt.Fprintln(os.Stderr, "left out, controller-gen lost", right)
	}
	return right == ""
}

// lost names a right that the markers ask for and the roles do not give. Where merging makes two
// rules differ in nothing but their verbs, controller-gen keeps one of them, any one.
func lost(one set) string {
	given := map[string]bool{}
	for _, text := range strings.Split(one.Role, "---\n")[1:] {
		var role struct {
			Metadata struct{ Name, Namespace string }
			Rules    []struct{ APIGroups, Resources, ResourceNames, NonResourceURLs, Verbs []string }
		}
		check(yaml.Unmarshal([]byte(text), &role))
		for _, rule := range role.Rules {
			each(role.Metadata.Namespace, role.Metadata.Name, rbac.Rule{Groups: rule.APIGroups, Resources: rule.Resources,
				ResourceNames: rule.ResourceNames, URLs: rule.NonResourceURLs, Verbs: rule.Verbs}, func(right string, verb string) { given[right+verb] = true })
		}
	}
	missing := ""
	for _, line := range slices.Concat(one.Files...) {
		if value, err := rbac.RuleDefinition.Parse(strings.TrimSpace(line[2:])); err == nil && strings.Contains(line, ":rbac:") {
			rule := value.(rbac.Rule)
			name := rule.RoleName
			if name == "" {
				name = "manager-role"
			}
			each(rule.Namespace, name, rule, func(right string, verb string) {
				if !given[right+verb] && !given[right+"*"] {
					missing = right + verb
				}
			})
		}
	}
	return missing
}

// each takes a rule apart.
func each(namespace, name string, rule rbac.Rule, do func(right string, verb string)) {
	or := func(list []string) []string {
		if len(list) == 0 {
			return []string{"-"}
		}
		return list
	}
	for _, group := range or(rule.Groups) {
		if group == "core" {
			group = ""
		}
		for _, resource := range or(rule.Resources) {
			for _, object := range or(rule.ResourceNames) {
				for _, url := range or(rule.URLs) {
					for _, verb := range rule.Verbs {
						do(fmt.Sprintf("%q ", []string{namespace, name, group, resource, object, url}), verb)
					}
				}
			}
		}
	}
}

func randomSets(r *rand.Rand, count int) (sets []set) {
	for range count {
		files := make([][]string, 1+r.Intn(4))
		for n := 1 + r.Intn(60); n > 0; n-- {
			i := r.Intn(len(files))
			line := random(r)
			files[i] = append(files[i], line)
			if r.Intn(8) == 0 {
				files[i] = append(files[i], line, "// Some text, and a marker of another tool:", "// +other:tool=1")
			}
		}
		for i := range files {
			files[i] = append([]string{}, files[i]...)
		}
		sets = append(sets, set{Files: files})
	}
	return sets
}

var (
	groups    = []string{"apps", "batch", "core", `""`, "app.example.com", "a.io", `"*"`, "b.io", "`apps`", "CORE", `"core"`}
	resources = []string{"pods", "pods/status", "deployments", "deployments/scale", "jobs", "*", "configmaps", `"secrets"`, "foos", "foos/finalizers", "*/scale"}
	verbs     = []string{"get", "list", "watch", "create", "update", "patch", "delete", "*", `"get"`, "deletecollection", "use"}
	// Not `<<`: rop quotes it, which other readers than Go's need.
	names = []string{"foo", "bar", "my-config", `"x y"`, "a.b", "yes", "1", "1.10", `"a:b"`, "true", "0x1f", `"null"`, "~", "on", "2026-01-01", `" x"`, `"x "`, `"#x"`, `"- x"`, "é", `"a\nb"`, `"\t"`,
		"`" + strings.Repeat("long words ", 12) + "`", `"'"`, `"!x"`, "`\"x`", "1_000", "0o17", ".5", "1e3", "="}
	urls = []string{"/metrics", "/healthz", "/healthz/*", `"/x"`, "*", "/a"}
)

func random(r *rand.Rand) string {
	var arguments []string
	add := func(odds int, name string, from []string) {
		if r.Intn(100) < odds {
			arguments = append(arguments, name+"="+list(r, from))
		}
	}
	if r.Intn(8) == 0 {
		add(100, "urls", urls)
	} else {
		// Without them controller-gen is not deterministic: it takes none for the core group.
		add(100, "groups", groups)
		add(100, "resources", resources)
		add(20, "resourceNames", names)
		add(3, "urls", urls)
	}
	add(100, "verbs", verbs)
	if r.Intn(4) == 0 {
		arguments = append(arguments, "namespace="+pick(r, []string{"zoo", "park", `"infra"`, "`users`", "a-b", "no"}))
	}
	if r.Intn(5) == 0 {
		arguments = append(arguments, "roleName="+pick(r, []string{"other", `"manager-role"`, "a", "y", "infra:admin", "1e3", `"a b"`, "null"}))
	}
	r.Shuffle(len(arguments), func(i, j int) { arguments[i], arguments[j] = arguments[j], arguments[i] })
	return pick(r, []string{"// ", "//", "//\t", "//  "}) + "+kubebuilder:rbac:" + strings.Join(arguments, pick(r, []string{",", ",", ",", ", "}))
}

func list(r *rand.Rand, from []string) string {
	items := make([]string, 1+r.Intn(1+r.Intn(4)))
	for i := range items {
		items[i] = pick(r, from)
	}
	if r.Intn(6) == 0 {
		return "{" + strings.Join(items, pick(r, []string{",", ", "})) + "}"
	}
	return strings.Join(items, ";") + pick(r, []string{"", "", "", ";"})
}

func pick(r *rand.Rand, from []string) string { return from[r.Intn(len(from))] }

// scrambled is a marker of the random kind, after some changes that may make it wrong.
func scrambled(r *rand.Rand) string { return scramble(r, random(r), "+kubebuilder:rbac:") }

func scramble(r *rand.Rand, text, start string) string {
	text = text[strings.Index(text, "+"):]
	prefix := len(start)
	pieces := []string{",", ";", "=", "{", "}", `"`, "`", " ", "a", "1", "-", "verbs", "true", `\n`, `\x41`, `\u00e9`, `\101`, `\'`, `\q`, "'", "//", "/*", ":", "é", "0x", "1.5", "get", "\t", ".", "*"}
	for n := r.Intn(4); n > 0; n-- {
		chars := []rune(text)
		at := prefix + r.Intn(len(chars)-prefix+1)
		switch {
		case r.Intn(3) == 0 && at < len(chars):
			chars = slices.Delete(chars, at, at+1)
		default:
			chars = slices.Insert(chars, at, []rune(pick(r, pieces))...)
		}
		text = string(chars)
		if len(chars) <= prefix {
			break
		}
	}
	return strings.TrimSpace(text)
}
