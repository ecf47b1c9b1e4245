// Reads a PROJECT file with kubebuilder's own loader and prints what that understood as JSON.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/spf13/afero"
	"sigs.k8s.io/kubebuilder/v4/pkg/config/store/yaml"
	_ "sigs.k8s.io/kubebuilder/v4/pkg/config/v3"
	"sigs.k8s.io/kubebuilder/v4/pkg/machinery"
)

func main() {
	store := yaml.New(machinery.Filesystem{FS: afero.NewOsFs()})
	if err := store.LoadFrom(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	config := store.Config()
	resources, err := config.GetResources()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	settings := map[string]any{}
	// A project without settings of its own has no such key.
	_ = config.DecodePluginConfig("rust.rop.dev/v1", &settings)
	list := []any{}
	for _, r := range resources {
		if err := r.Validate(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		one := map[string]any{
			"group": r.Group, "version": r.Version, "kind": r.Kind, "domain": r.Domain,
			"plural": r.Plural, "core": r.Core, "external": r.External,
			"controller": r.Controller, "hasAPI": r.HasAPI(), "qualifiedGroup": r.QualifiedGroup(),
		}
		if r.API != nil {
			one["crdVersion"] = r.API.CRDVersion
			one["namespaced"] = r.API.Namespaced
		}
		list = append(list, one)
	}
	err = json.NewEncoder(os.Stdout).Encode(map[string]any{
		"version": config.GetVersion().String(), "domain": config.GetDomain(),
		"projectName": config.GetProjectName(), "layout": config.GetPluginChain(),
		"multigroup": config.IsMultiGroup(), "namespaced": config.IsNamespaced(), "repository": config.GetRepository(),
		"resources": list, "settings": settings,
	})
	if err != nil {
		os.Exit(1)
	}
}
