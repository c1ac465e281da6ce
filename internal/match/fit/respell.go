package fit

import (
	"slices"
	"strings"
	"unicode/utf8"

	"bureau/internal/match"
)

// spellings are the ways in which countries spell one sound. Each is used both
// ways.
var spellings = [][2]string{
	{"sch", "sh"},
	{"ou", "u"},
	{"kh", "h"},
	{"ph", "f"},
	{"ck", "k"},
	{"c", "k"},
	{"iy", "y"},
	{"ei", "ey"},
	{"ai", "ay"},
	{"ya", "ia"},
	{"yu", "iu"},
	{"zh", "j"},
	{"w", "v"},
	{"tch", "ch"},
	{"ss", "s"},
	{"mm", "m"},
	{"ll", "l"},
	{"nn", "n"},
	{"tt", "t"},
	{"oo", "u"},
	{"ee", "i"},
	{"dj", "j"},
	{"th", "t"},
	{"ue", "u"},
	{"oe", "o"},
	{"ae", "a"},
	{"ff", "v"},
	{"q", "k"},
	{"x", "ks"},
	{"ts", "tz"},
	{"ij", "y"},
	{"ie", "e"},
	{"y", "i"},
	{"o", "u"},
	{"e", "a"},
	{"e", "i"},
	{"gh", "g"},
	{"z", "s"},
	{"dh", "d"},
	{"ye", "e"},
}

// respell writes one or two words as another country would.
func (d *Damager) respell(words []string) []string {
	changed := false
	for range 1 + d.w.IntN(3) {
		i := d.long(words, 4)
		if i < 0 {
			return nil
		}
		low := strings.ToLower(words[i])
		for range 12 {
			p := pick(d.w, spellings)
			from, to := p[0], p[1]
			if d.w.chance(0.5) {
				from, to = to, from
			}
			if at := strings.LastIndex(low, from); at >= 0 && (len(from) > 1 || at > 0) {
				words[i] = low[:at] + to + low[at+len(from):]
				changed = true
				break
			}
		}
	}
	if !changed {
		return nil
	}
	return words
}

// scripts are rough ways to write Latin words in other letters, longest first. A ^
// stands for the beginning of a word.
var scripts = []struct {
	name   string
	spoken *strings.Replacer
	pairs  []string
}{
	{"Cyrillic", all, strings.Fields(`shch щ sch ш zh ж kh х ts ц ch ч sh ш yu ю ya я ye е yo ё ph ф th т ck к a а b б c к d д e е
		f ф g г h х i и j дж k к l л m м n н o о p п q к r р s с t т u у v в w в x кс y й z з`)},
	{"Greek", all, strings.Fields(`th θ ch χ ph φ ps ψ ks ξ ou ου a α b μπ c κ d δ e ε f φ g γ h χ i ι j τζ k κ l λ m μ n ν
		o ο p π q κ r ρ s σ t τ u ου v β w β x ξ y ι z ζ`)},
	{"Arabic", abjad, strings.Fields(`^e ا ^i اي ^o او ^u او kh خ sh ش th ث dh ذ gh غ ch تش sch ش zh ج ou و oo و ee ي aa ا a ا b ب c ك d د e - f ف g ج
		h ه i ي j ج k ك l ل m م n ن o و p ب q ق r ر s س t ت u و v ف w و x كس y ي z ز`)},
	{"Hebrew", abjad, strings.Fields(`^e א ^i אי ^o או ^u או sh ש ch צ kh ח ts צ th ת sch ש zh ז ph פ a א b ב c ק d ד e - f פ g ג h ה i י j ג k ק l ל m מ
		n נ o ו p פ q ק r ר s ס t ט u ו v ו w ו x קס y י z ז`)},
	{"Georgian", all, strings.Fields(`sh შ ch ჩ kh ხ zh ჟ ts ც gh ღ dz ძ a ა b ბ c კ d დ e ე f ფ g გ h ჰ i ი j ჯ k კ l ლ m მ
		n ნ o ო p პ q ქ r რ s ს t ტ u უ v ვ w ვ x ქს y ი z ზ`)},
	{"Armenian", all, strings.Fields(`sh շ ch չ kh խ zh ժ ts ց gh ղ dz ձ a ա b բ c կ d դ e ե f ֆ g գ h հ i ի j ջ k կ l լ m մ
		n ն o ո p պ q ք r ր s ս t տ u ու v վ w վ x քս y յ z զ`)},
	{"Kana", syllabary, strings.Fields(`scha シャ schu シュ scho ショ sche シェ schi シ sch シュ sha シャ shu シュ sho ショ she シェ shi シ sh シュ cha チャ chu チュ cho チョ che チェ chi チ ch チ tsu ツ
		th ト qu ク ca カ ci シ cu ク ce セ co コ cy シ
		by ビ dy ディ fy フィ ky キ ly リ my ミ ny ニ py ピ ry リ sy シ ty ティ vy ヴィ zy ジ
		ka カ ki キ ku ク ke ケ ko コ ga ガ gi ギ gu グ ge ゲ go ゴ sa サ si シ su ス se セ so ソ za ザ zi ジ zu ズ ze ゼ zo ゾ
		ta タ ti ティ tu トゥ te テ to ト da ダ di ディ du ドゥ de デ do ド na ナ ni ニ nu ヌ ne ネ no ノ ha ハ hi ヒ hu フ he ヘ ho ホ
		ba バ bi ビ bu ブ be ベ bo ボ pa パ pi ピ pu プ pe ペ po ポ ma マ mi ミ mu ム me メ mo モ ya ヤ yu ユ yo ヨ
		ra ラ ri リ ru ル re レ ro ロ la ラ li リ lu ル le レ lo ロ wa ワ wi ウィ we ウェ wo ウォ va ヴァ vi ヴィ ve ヴェ vo ヴォ
		fa ファ fi フィ fe フェ fo フォ fu フ ja ジャ ji ジ ju ジュ je ジェ jo ジョ a ア i イ u ウ e エ o オ
		b ブ c ク d ド f フ g グ h フ j ジ k ク l ル m ム n ン p プ q ク r ル s ス t ト v ヴ w ウ x クス y イ z ズ`)},
}

// rescript writes a name in another script. Accents and legal forms do not come
// along: no alphabet has the one, and every country has the other for itself.
func (d *Damager) rescript(words []string) []string {
	words = match.Read(match.Company, strings.Join(words, " ")).Words()
	s := pick(d.w, scripts)
	for i, w := range words {
		words[i] = transcribe(s.spoken.Replace(strings.ToLower(w)), s.pairs)
	}
	if s.name == "Kana" {
		return []string{strings.Join(words, "・")}
	}
	return words
}

// once writes doubled consonants once, as abjads do. A syllabary writes long vowels as
// they sound as well. The alphabets write all letters.
var (
	once = []string{
		"bb", "b", "cch", "ch", "cc", "c", "ck", "k", "dd", "d", "ff", "f", "gg", "g", "kk", "k", "ll", "l",
		"mm", "m", "nn", "n", "pp", "p", "rr", "r", "ss", "s", "tt", "t", "zz", "z",
	}
	all       = strings.NewReplacer()
	abjad     = strings.NewReplacer(once...)
	syllabary = strings.NewReplacer(slices.Concat(once, []string{"chr", "kr", "chn", "kn", "ee", "i", "oo", "u", "ph", "f"})...)
)

func transcribe(word string, pairs []string) string {
	var b strings.Builder
	word = "^" + word
next:
	for word != "" {
		for i := 0; i+1 < len(pairs); i += 2 {
			if rest, ok := strings.CutPrefix(word, pairs[i]); ok {
				b.WriteString(strings.TrimSuffix(pairs[i+1], "-"))
				word = rest
				continue next
			}
		}
		r, n := utf8.DecodeRuneInString(word)
		if r != '^' {
			b.WriteRune(r)
		}
		word = word[n:]
	}
	return b.String()
}
