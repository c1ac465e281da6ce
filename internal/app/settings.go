package app

import (
	"fmt"
	"slices"
	"strings"

	"github.com/knadh/koanf/parsers/yaml"
	"github.com/knadh/koanf/providers/file"
	"github.com/knadh/koanf/v2"
)

// Settings are what the environment and the settings file say. Flags come
// before both.
type Settings struct {
	getenv func(string) string
	file   *koanf.Koanf
	path   string
}

// ReadSettings reads the settings file, if there is one to read. It is YAML
// with the names of the flags:
//
//	listen: 0.0.0.0:8443
//	public-url: https://api.example.com
//	trusted-proxy: [10.0.0.0/8]
func ReadSettings(getenv func(string) string, path string) (*Settings, error) {
	s := &Settings{getenv: getenv, path: path, file: koanf.New(".")}
	if path == "" {
		return s, nil
	}
	if err := s.file.Load(file.Provider(path), yaml.Parser()); err != nil {
		return nil, fmt.Errorf("read the settings file %s: %w", path, err)
	}
	return s, nil
}

// Variable is the environment variable of a setting.
func Variable(name string) string {
	return "BUREAU_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}

// Lookup finds a setting and says where it came from.
func (s *Settings) Lookup(name string) (value, origin string, ok bool) {
	if v := s.getenv(Variable(name)); v != "" {
		return v, "variable " + Variable(name), true
	}
	if !s.file.Exists(name) {
		return "", "", false
	}
	switch v := s.file.Get(name).(type) {
	case []any:
		var texts []string
		for _, item := range v {
			texts = append(texts, fmt.Sprint(item))
		}
		value = strings.Join(texts, ",")
	default:
		value = fmt.Sprint(v)
	}
	return value, "file " + s.path, true
}

// Unknown are lines of the settings file that set nothing: a name with a typo
// would otherwise be a setting that silently does not hold.
func (s *Settings) Unknown(known []string) []string {
	var out []string
	for _, name := range s.file.Keys() {
		if !slices.Contains(known, name) {
			out = append(out, name)
		}
	}
	return out
}
