package match

// sound rewrites a word so that the usual spellings of one name come out alike:
// Yevgeny, Evgueni, Jewgenij; Schulz, Schultz; Mueller, Müller; Petroff, Petrow.
// It is an equivalence for comparing, not a pronunciation: sh, z and s are one,
// and j and y are i, because Europe cannot agree on them.
func sound(s string) string {
	var buf [soundRoom]byte
	return string(soundInto(buf[:0], s))
}

// soundRoom is how long the sound of a word is at most: an x is two letters of it.
const soundRoom = 2 * maxWord

// soundInto is sound, in memory of the caller's that is empty.
func soundInto(out []byte, s string) []byte {
	at := func(i int) byte {
		if i >= 0 && i < len(s) {
			return s[i]
		}
		return 0
	}
	put := func(c byte) {
		if len(out) == 0 || out[len(out)-1] != c {
			out = append(out, c)
		}
	}
	for i := 0; i < len(s); {
		n := 1 // letters used up
		c := s[i]
		switch c {
		case 'a', 'o', 'u', 'e':
			out, n = soundVowel(out, s, i)
		case 'i', 'y', 'j':
			for at(i+n) == 'i' || at(i+n) == 'y' || at(i+n) == 'j' {
				n++
			}
			// ye, ie and je are e: Yevgeny, Evgeny, Jewgenij.
			if at(i+n) != 'e' || n > 1 {
				put('i')
			}
		case 'c':
			n = soundC(at, i, put)
		case 's':
			put('s')
			switch {
			case at(i+1) == 'c' && at(i+2) == 'h', at(i+1) == 'h' && at(i+2) == 'c' && at(i+3) == 'h':
				n = 3
				if at(i+1) == 'h' {
					n = 4
				}
			case at(i+1) == 'h', at(i+1) == 'z':
				n = 2
			}
		case 't':
			n = soundT(at, i, put)
		case 'd':
			switch {
			case at(i+1) == 'j':
				n = 2
				put('i')
			case at(i+1) == 'z' && at(i+2) == 'h':
				n = 3
				put('i')
			case at(i+1) == 's' && at(i+2) == 'c' && at(i+3) == 'h':
				n = 4
				put('i')
			case at(i+1) == 'h', at(i+1) == 't':
				n = 2
				put('d')
			default:
				put('d')
			}
		case 'k':
			if at(i+1) == 'h' {
				n = 2
				put('h')
			} else {
				put('k')
			}
		case 'g':
			put('g')
			if at(i+1) == 'h' || at(i+1) == 'u' && (at(i+2) == 'e' || at(i+2) == 'i') {
				n = 2
			}
		case 'p':
			if at(i+1) == 'h' {
				n = 2
				put('f')
			} else {
				put('p')
			}
		case 'z':
			put('s')
			if at(i+1) == 'h' {
				n = 2
			}
		case 'q':
			put('k')
			if at(i+1) == 'u' {
				n = 2
			}
		case 'x':
			if i > 0 {
				put('k')
			}
			put('s')
		case 'w':
			put('v')
		case 'f':
			// The endings -off and -eff are -ov and -ev.
			if at(i+1) == 'f' && i+2 == len(s) && i > 1 {
				n = 2
				put('v')
			} else {
				put('f')
			}
		default:
			put(c)
			if at(i+1) == 'h' && (c == 'b' || c == 'r') {
				n = 2
			}
		}
		i += n
	}
	return out
}

// soundVowel handles the vowels but i. Umlauts are written with an e or without;
// ou and oo are u.
func soundVowel(out []byte, s string, i int) ([]byte, int) {
	c, n := s[i], 1
	next := byte(0)
	if i+1 < len(s) {
		next = s[i+1]
	}
	switch {
	case c != 'e' && next == 'e' && i+2 < len(s):
		n = 2
	case c == 'o' && (next == 'u' || next == 'o'):
		c, n = 'u', 2
	case c == 'e' && next == 'e':
		c, n = 'i', 2
	}
	if len(out) == 0 || out[len(out)-1] != c {
		out = append(out, c)
	}
	return out, n
}

func soundC(at func(int) byte, i int, put func(byte)) (n int) {
	switch next := at(i + 1); next {
	case 'h':
		put('c')
		return 2
	case 'z':
		put('c')
		return 2
	case 'k', 'q':
		put('k')
		return 2
	case 'e', 'i', 'y':
		put('s')
	case 0:
		// A final c is Slavic more often than not: Jankovic, Jankovich.
		if at(i-1) == 'i' {
			put('c')
		} else {
			put('k')
		}
	default:
		put('k')
	}
	return 1
}

func soundT(at func(int) byte, i int, put func(byte)) (n int) {
	switch {
	case at(i+1) == 's' && at(i+2) == 'c' && at(i+3) == 'h':
		put('c')
		return 4
	case at(i+1) == 'c' && at(i+2) == 'h', at(i+1) == 's' && at(i+2) == 'h':
		put('c')
		return 3
	case at(i+1) == 'z', at(i+1) == 's':
		put('s')
		return 2
	case at(i+1) == 'h':
		put('t')
		return 2
	}
	put('t')
	return 1
}

// skeleton is the coarsest likeness: the consonants of a sound, those that
// scripts confuse taken for one. It finds candidates, it proves nothing.
func skeleton(dst []byte, sound string) []byte {
	from := len(dst)
	for i := range len(sound) {
		c := sound[i]
		switch c {
		case 'a', 'e', 'i', 'o', 'u', 'h':
			continue
		case 'v', 'f', 'p':
			c = 'b'
		case 't':
			c = 'd'
		case 'k':
			c = 'g'
		case 'c':
			c = 's'
		case 'r':
			c = 'l'
		}
		if len(dst) == from || dst[len(dst)-1] != c {
			dst = append(dst, c)
		}
	}
	return dst
}
