package main

import (
	"fmt"
	"math/rand"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/webhook"
)

type hook struct {
	Marker string `json:"marker"`
	// What controller-gen makes of it, if it takes it.
	Webhook any `json:"webhook"`
}

func manifests(one *set, run run) bool {
	one.Manifests, one.Refused = run("webhook", "manifests.yaml")
	return true
}

var (
	hookGroups    = []string{"apps", "batch", "app.example.com", "a.io", "`b.io`", `"apps"`}
	hookResources = []string{"pods", "deployments", "pods/status", `"foos"`, "foos/scale", "jobs/*"}
	hookVersions  = []string{"v1", "v1beta1", `"v1alpha1"`, "v2"}
	reviews       = []string{"v1", "v1;v1beta1", "{v1beta1,v1}", `"v1"`, "v1;", "v1;v7"}
	anyHookPatch  = []string{
		`{}`,
		`{"timeoutSeconds":25}`,
		`{"timeoutSeconds":null}`,
		`{"namespaceSelector":{"matchLabels":{"a.io/b":"true","c":"1"}}}`,
		`{"namespaceSelector":{"matchLabels":{"a":null}}}`,
		`{"namespaceSelector":{}}`,
		`{"objectSelector":{"matchExpressions":[{"key":"tier","operator":"In","values":["a","b"]},{"key":"b","operator":"Exists"}]}}`,
		`{"objectSelector":{"matchExpressions":[{"key":"b","operator":"DoesNotExist","values":[]}]},"namespaceSelector":null}`,
		`{"matchConditions":[{"name":"a","expression":"true"},{"name":"b","expression":"!('x' in request.options)"}]}`,
		`{"failurePolicy":"Ignore","sideEffects":"NoneOnDryRun"}`,
		`{"matchPolicy":"Exact","admissionReviewVersions":["v1"]}`,
		`{"rules":[{"operations":["CREATE","DELETE"],"apiGroups":[""],"apiVersions":["v1"],"resources":["namespaces"],"scope":"Cluster"}]}`,
		`{"rules":[]}`,
		`{"clientConfig":{"caBundle":"Cg=="}}`,
	}
	pathPatch   = []string{`{"clientConfig":{"service":{"port":8443}}}`, `{"clientConfig":{"service":{"path":"/other","name":"hooks"}}}`, `{"clientConfig":{"service":null,"url":"https://a.io/b"}}`}
	wrongPatch  = []string{`{"colour":"red"}`, `{"TimeoutSeconds":3}`, `{"timeoutSeconds":"3"}`, `{"timeoutSeconds":1.5}`, `{"rules":[{"verbs":["CREATE"]}]}`, `{"a":1,"a":2}`, `[]`, `{`, `null`, `{} {}`, `{"timeoutSeconds":1,"timeoutSeconds":2}`, `{"clientConfig":{"caBundle":"x"}}`, `{"namespaceSelector":{"matchLabels":{"a":1}}}`, `{"clientConfig":null}`, `{"name":null}`, `{"colour":null}`, `{"matchConditions":[{"name":"a","expression":"true","x":null}]}`}
	mutatesOnly = []string{`{"reinvocationPolicy":"Never"}`, `{"reinvocationPolicy":null}`}
)

// upper turns some letters of a value that is read without regard to case.
func upper(r *rand.Rand, from ...string) string {
	text := pick(r, from)
	switch r.Intn(4) {
	case 0:
		return strings.ToUpper(text)
	case 1:
		return strings.ToLower(text)
	}
	return text
}

// few are some of these, each once.
func few(r *rand.Rand, from []string) string {
	order := r.Perm(len(from))[:1+r.Intn(1+r.Intn(len(from)))]
	items := make([]string, len(order))
	for i, n := range order {
		items[i] = from[n]
	}
	if r.Intn(6) == 0 {
		return "{" + strings.Join(items, pick(r, []string{",", ", "})) + "}"
	}
	return strings.Join(items, ";") + pick(r, []string{"", "", "", ";"})
}

// or is one of them or, seldom, the other.
func or(r *rand.Rand, one, other string) string {
	if r.Intn(8) == 0 {
		return other
	}
	return one
}

func randomHook(r *rand.Rand, name string, wrong bool) string {
	mutating := r.Intn(2) == 0
	arguments := []string{
		fmt.Sprint("mutating=", mutating),
		"failurePolicy=" + upper(r, "Fail", "Ignore"),
		"groups=" + or(r, few(r, hookGroups), pick(r, []string{"core", `""`, `"*"`, `{"*"}`})),
		"resources=" + or(r, few(r, hookResources), pick(r, []string{"*", "*/*", "*/scale", "pods;*/status"})),
		"verbs=" + or(r, few(r, []string{upper(r, "create"), upper(r, "update"), upper(r, "delete"), upper(r, "connect")}), "*"),
		"versions=" + or(r, few(r, hookVersions), "*"),
		"name=" + pick(r, []string{name, `"` + name + `"`, "`" + name + "`"}),
		"admissionReviewVersions=" + pick(r, reviews),
		"sideEffects=" + upper(r, "None", "NoneOnDryRun"),
	}
	add := func(odds int, name, value string) {
		if r.Intn(100) < odds {
			arguments = append(arguments, name+"="+value)
		}
	}
	patches := anyHookPatch
	if r.Intn(4) == 0 {
		add(100, "url", pick(r, []string{"https://a.io/b", `"https://a.io:8443/b/c"`, "https://10.0.0.1:443"}))
	} else {
		patches = append(patches, pathPatch...)
		add(100, "path", pick(r, []string{"/mutate-app-example-com-v1-foo", "/validate--v1-pod", `"/a/b"`, "/", "/a/"}))
		add(20, "serviceName", pick(r, []string{"hooks", `"hooks"`}))
		add(20, "serviceNamespace", pick(r, []string{"infra", "`no`"}))
		add(20, "servicePort", pick(r, []string{"443", "9443", "010"}))
	}
	if mutating {
		patches = append(patches, mutatesOnly...)
		add(30, "reinvocationPolicy", upper(r, "Never", "IfNeeded"))
	}
	if wrong {
		patches = append(append(append(patches, wrongPatch...), pathPatch...), mutatesOnly...)
	}
	add(30, "matchPolicy", upper(r, "Exact", "Equivalent"))
	add(40, "timeoutSeconds", fmt.Sprint(1+r.Intn(30)))
	add(10, "webhookVersions", pick(r, []string{"v1", "{v1}", `"v1"`}))
	add(30, "patch", "`"+pick(r, patches)+"`")
	r.Shuffle(len(arguments), func(i, j int) { arguments[i], arguments[j] = arguments[j], arguments[i] })
	return pick(r, []string{"// ", "//", "//\t", "//  "}) + "+kubebuilder:webhook:" + strings.Join(arguments, pick(r, []string{",", ",", ",", ", "}))
}

func randomHookSets(r *rand.Rand, count int) (sets []set) {
	for range count {
		files := make([][]string, 1+r.Intn(4))
		for i := range files {
			files[i] = []string{}
		}
		add := func(line string) {
			i := r.Intn(len(files))
			files[i] = append(files[i], line)
		}
		for n := range r.Intn(30) {
			add(randomHook(r, fmt.Sprintf("%s%d.%s", pick(r, []string{"m", "v", "a-b.x", "z"}), n, pick(r, []string{"kb.io", "example.com", "0.1"})), false))
			if r.Intn(8) == 0 {
				add("// Some text, and a marker of another tool:")
				add("// +other:tool=1")
			}
		}
		for _, mutating := range []bool{true, false} {
			if r.Intn(3) == 0 {
				add(fmt.Sprintf("// +kubebuilder:webhookconfiguration:mutating=%t,name=%s", mutating, pick(r, []string{"mine", `"a.b"`, "no"})))
			}
		}
		sets = append(sets, set{Files: files})
	}
	return sets
}

// scrambledHook is a webhook marker after some changes that may make it wrong, or with a patch that may be.
func scrambledHook(r *rand.Rand) hook {
	text := randomHook(r, "a.b.c", true)
	if r.Intn(3) > 0 {
		text = scramble(r, text, "+kubebuilder:webhook:")
	}
	text = strings.TrimSpace(text[strings.Index(text, "+"):])
	one := hook{Marker: text}
	name, _, found := strings.Cut(text, "=")
	value, err := webhook.ConfigDefinition.Parse(text)
	if err != nil || !found || strings.Count(name, ":") != 2 {
		return one
	}
	config := value.(webhook.Config)
	if config.Mutating {
		if made, err := config.ToMutatingWebhook(); err == nil {
			one.Webhook = made
		}
	} else if made, err := config.ToValidatingWebhook(); err == nil {
		one.Webhook = made
	}
	return one
}
