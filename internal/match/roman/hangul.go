package roman

import "strings"

// The letters of a Hangul syllable in the order of Unicode, spelt after the
// Revised Romanisation.
var (
	hangulLead  = strings.Split("g kk n d tt r m b pp s ss  j jj ch k t p h", " ")
	hangulVowel = strings.Fields("a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i")
	hangulTail  = strings.Split(" k k k n n n t l k m l l l p l m p p t t ng t t k t p t", " ")
)

// surnames are the family names that their bearers spell otherwise than the
// rules would.
var surnames = table(`
김 kim 이 lee 박 park 최 choi 정 jung 강 kang 조 cho 윤 yoon 임 lim 오 oh 서 seo 신 shin 권 kwon
안 ahn 류 ryu 전 jun 고 ko 손 son 배 bae 백 paik 허 hur 유 yoo 노 roh 곽 kwak 성 sung 주 joo
우 woo 구 koo 현 hyun 변 byun 염 yum 추 choo 길 kil 리 ri 여 yeo 라 ra 량 ryang 렴 ryom 로 ro`)

// regularSurnames are further families, whose names are spelt as the rules would.
const regularSurnames = "한장홍문양남심원나하민진지엄채천방공함차마설연위표명기반왕금옥육인맹제모탁국어은편용황송"

// hangulForeign are vowels as they are heard in foreign names: what has two letters in
// Latin is one vowel, or none at all, since no two consonants can stand in a row.
var hangulForeign = strings.Fields("a e ya ye o e yo ye o wa we e yo u wo we wi yu u i i")

// fromHangul spells a word with its vowels in their order.
func fromHangul(word []rune, vowels []string) string {
	var b strings.Builder
	for _, r := range word {
		s := int(r - 0xac00)
		if s < 0 || s >= 11172 {
			continue
		}
		lead := hangulLead[s/588]
		if lead == "r" && strings.HasSuffix(b.String(), "l") {
			lead = "l" // two of them are a long l
		}
		b.WriteString(lead)
		b.WriteString(vowels[s%588/28])
		b.WriteString(hangulTail[s%28])
	}
	return b.String()
}

// hangulPerson splits a full name written in one piece into family and given
// name. Families with two syllables are few and left to the joining of words.
func hangulPerson(word []rune) (family, given []rune, ok bool) {
	if len(word) < 2 || len(word) > 4 {
		return nil, nil, false
	}
	return word[:1], word[1:], true
}

// usualSyllables are those of given names that their bearers spell otherwise than the
// rules would.
var usualSyllables = table(`우 woo 영 young 현 hyun 정 jung 수 soo 선 sun 성 sung 승 seung 희 hee 주 joo 경 kyung 훈 hoon 숙 sook 순 soon 국 kook 문 moon
근 keun 기 ki 구 koo 규 kyu 건 kun 석 suk 연 yeon 미 mi 철 chul 운 woon 욱 wook 원 won 윤 yoon 룡 ryong 범 bum 법 bup 준 joon 춘 choon 균 kyun 관 kwan 광 kwang 권 kwon 길 kil`)

// asBorne spells a name as its bearer is likely to, each syllable of a given name by
// itself.
func asBorne(family string, given []rune) []string {
	out := []string{family}
	for _, r := range given {
		s, is := usualSyllables[r]
		if !is {
			s = fromHangul([]rune{r}, hangulVowel)
		}
		out = append(out, s)
	}
	return out
}
