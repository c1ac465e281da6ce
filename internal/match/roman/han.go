package roman

import (
	"bufio"
	"bytes"
	"compress/gzip"
	_ "embed"
	"strings"
	"sync"
)

// hanTable is made by internal/match/gen from the Unihan database, whose licence
// is in docs/matching.md. A line is a character and its readings: Mandarin,
// Cantonese, Korean, Japanese of Chinese origin (on), native Japanese (kun), and
// its simplified form.
//
//go:embed han.txt.gz
var hanTable []byte

// A system is a way of reading Han characters aloud.
type system int

const (
	mandarin system = iota
	cantonese
	korean
	on
	kun
	systems
)

type hanChar struct {
	readings   [systems]string
	simplified rune
}

// hanChars unpacks the table when the first Han name comes along.
var hanChars = sync.OnceValue(func() map[rune]hanChar {
	m := make(map[rune]hanChar, 30000)
	z, err := gzip.NewReader(bytes.NewReader(hanTable))
	if err != nil {
		panic("roman: the embedded table of Han characters is broken: " + err.Error())
	}
	lines := bufio.NewScanner(z)
	for lines.Scan() {
		f := strings.Split(lines.Text(), "\t")
		c := hanChar{simplified: []rune(f[6])[0]}
		copy(c.readings[:], f[1:6])
		m[[]rune(f[0])[0]] = c
	}
	if err := lines.Err(); err != nil {
		panic("roman: the embedded table of Han characters is broken: " + err.Error())
	}
	return m
})

// Simplify gives a Han character its simplified form, so that 張 and 张 are one.
func Simplify(r rune) rune {
	if c, ok := hanChars()[r]; ok {
		return c.simplified
	}
	return r
}

func (s system) spell(word []rune) string {
	table := hanChars()
	var b strings.Builder
	for i, r := range word {
		if r == '々' && i > 0 {
			r = word[i-1] // repeats the character before
		}
		c := table[r]
		reading := c.readings[s]
		switch {
		case reading != "":
		case s == kun:
			reading = c.readings[on]
		case s == on:
			reading = c.readings[kun]
		}
		if reading == "" {
			reading = c.readings[mandarin]
		}
		b.WriteString(reading)
	}
	return b.String()
}

// doubleSurnames are the Chinese family names of two characters that are met
// most often, in simplified form.
const doubleSurnames = "欧阳 司马 诸葛 上官 夏侯 东方 皇甫 尉迟 公孙 慕容 令狐 司徒 端木 长孙 宇文 独孤 南宫"

// fromHan reads a word in every system that may apply. A person's name that is
// written in one piece is split into family and given name, as each country does.
func fromHan(word []rune, ask Ask) [][]string {
	chosen := []system{mandarin, cantonese, korean, on, kun}
	switch {
	case ask.Beside == Kana:
		chosen = chosen[on:]
	case ask.Beside == Hangul:
		chosen = chosen[korean:on]
	}
	var japanese [][]string
	if ask.Person && ask.Beside != Hangul {
		japanese = fromJapanese(word, ask.Alone)
	}
	var out [][]string
	for _, s := range chosen {
		if s >= on && japanese != nil {
			continue
		}
		family := 1
		switch {
		case !ask.Person || !ask.Alone || len(word) < 2 || len(word) > 5:
			family = 0
		case s >= on && len(word) > 2:
			family = 2
		case len(word) > 2 && strings.Contains(doubleSurnames, string([]rune{Simplify(word[0]), Simplify(word[1])})):
			family = 2
		}
		if family == 0 {
			out = append(out, []string{s.spell(word)})
			continue
		}
		if s == cantonese {
			out = append(out, inHongKong(word, family))
			continue
		}
		out = append(out, []string{s.spell(word[:family]), s.spell(word[family:])})
		if s == kun && len(word) > 2 {
			// Japanese families mostly have native readings, given names either.
			out = append(out, []string{kun.spell(word[:family]), on.spell(word[family:])})
		}
	}
	out = append(out, japanese...)
	if ask.Person && ask.Beside == Other {
		out = append(out, []string{fromForeign(word)})
	}
	return out
}

// inHongKong spells a person's name as papers there do: each syllable of a given name by
// itself, and p, t and k for sounds that Mandarin writes as b, d and g.
func inHongKong(word []rune, family int) []string {
	out := []string{""}
	for i, r := range word {
		s := cantonese.spell([]rune{r})
		if usual, is := hongKongUsual[r]; is {
			s = usual
		} else if s != "" {
			if hard, is := hongKongHard[s[0]]; is {
				s = hard + s[1:]
			}
			if strings.HasSuffix(s, "ou") {
				s = s[:len(s)-1]
			}
		}
		if i < family {
			out[0] += s
			continue
		}
		out = append(out, s)
	}
	return out
}

var (
	hongKongHard = map[byte]string{'b': "p", 'd': "t", 'g': "k"}
	// hongKongUsual are characters that people there spell otherwise than others of their sound.
	hongKongUsual = table(`子 tsz 自 tsz 字 tsz 慈 tsz 祠 tsz 思 sze 斯 sze 司 sze 師 sze 师 sze 施 sze 詩 sze 诗 sze 史 sze 李 lee 徐 tsui 崔 tsui 曾 tsang 謝 tse 谢 tse
鄧 tang 邓 tang 馮 fung 冯 fung 葉 yip 叶 yip 許 hui 许 hui 余 yu 胡 wu 吳 ng 吴 ng 伍 ng 蔡 choi 何 ho 高 ko 盧 lo 卢 lo 趙 chiu 赵 chiu`)
)

// foreignSounds are what letters of Mandarin stand for in foreign names, which are
// written by their sound.
var foreignSounds = strings.NewReplacer("zh", "j", "ch", "ch", "sh", "sh", "x", "sh", "q", "ch", "c", "ts")

// fromForeign spells a foreign name. A 尔 (er) within it is no more than an l or an r:
// 纳尔逊 is Nelson.
func fromForeign(word []rune) string {
	var b strings.Builder
	for i, r := range word {
		s := mandarin.spell([]rune{r})
		if s == "er" && i > 0 {
			s = "r"
		}
		b.WriteString(foreignSounds.Replace(s))
	}
	return b.String()
}
