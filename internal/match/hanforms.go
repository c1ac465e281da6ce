package match

import (
	"slices"
	"strings"

	"bureau/internal/match/roman"
)

// hanForms are the legal forms of East Asia in their own letters, which stand before or
// behind a name with nothing between, and what each is called in ours. A longer one
// comes before the one it ends with.
var hanForms = []struct{ own, phrase string }{
	{"股份有限公司", "gufen youxian gongsi"},
	{"有限责任公司", "youxian gongsi"},
	{"有限責任公司", "youxian gongsi"},
	{"有限公司", "youxian gongsi"},
	{"公司", "co"},
	{"株式会社", "kk"},
	{"株式會社", "kk"},
	{"有限会社", "godo kaisha"},
	{"合同会社", "godo kaisha"},
	{"주식회사", "kk"},
}

// hanSigns are short for forms where they stand alone, as in (株).
var hanSigns = map[string]string{"株": "kk", "주": "kk", "有": "godo kaisha"}

// cutHanForms takes the forms out of a company's name, and returns them beside what is
// left. A name that is nothing else keeps its form.
func cutHanForms(rs []run) (rest, forms []run) {
	if !slices.ContainsFunc(rs, func(r run) bool { return r.script == roman.Han || r.script == roman.Hangul }) {
		return rs, nil
	}
	for i := range rs {
		left, phrase := cutHanForm(&rs[i], len(rs) > 1)
		for p := range strings.FieldsSeq(phrase) {
			forms = append(forms, run{runes: []rune(p), script: roman.Latin})
		}
		if len(left.runes) > 0 {
			rest = append(rest, left)
		}
	}
	if len(rest) == 0 {
		return rs, nil
	}
	return rest, forms
}

func cutHanForm(r *run, beside bool) (left run, phrase string) {
	if r.script != roman.Han && r.script != roman.Hangul {
		return *r, ""
	}
	text := string(r.runes)
	if phrase, is := hanSigns[text]; is && beside {
		return run{}, phrase
	}
	for _, f := range hanForms {
		name, found := strings.CutSuffix(text, f.own)
		if !found {
			name, found = strings.CutPrefix(text, f.own)
		}
		if found {
			left = *r
			left.runes = []rune(name)
			return left, f.phrase
		}
	}
	return *r, ""
}

// oneHanName writes a person's name in one that is in Han and in parts: 鈴木 一郎 is
// 鈴木一郎, whose characters are read as a name only together.
func oneHanName(rs []run) []run {
	const most = 6 // characters
	if len(rs) < 2 {
		return rs
	}
	var all []rune
	for i := range rs {
		if rs[i].script != roman.Han || rs[i].comma {
			return rs
		}
		all = append(all, rs[i].runes...)
	}
	if len(all) > most {
		return rs
	}
	return []run{{runes: all, script: roman.Han}}
}
