package match

import "encoding/binary"

// Facts of an entry are kept as bytes and read only when a candidate is scored
// against a subject that has facts too.

func appendFacts(b []byte, s *Subject) []byte {
	if len(s.Countries) == 0 && len(s.Born) == 0 && s.Gender == "" && len(s.Identifiers) == 0 && s.Address == "" {
		return b
	}
	b = binary.AppendUvarint(b, uint64(len(s.Countries)))
	for _, c := range s.Countries {
		b = appendText(b, c)
	}
	b = binary.AppendUvarint(b, uint64(len(s.Born)))
	for _, d := range s.Born {
		about := uint64(0)
		if d.About {
			about = 1
		}
		b = binary.AppendUvarint(b, uint64(uint16(d.Year))<<10|uint64(d.Month)<<6|uint64(d.Day)<<1|about)
	}
	b = appendText(b, s.Gender)
	b = binary.AppendUvarint(b, uint64(len(s.Identifiers)))
	for _, id := range s.Identifiers {
		b = appendText(appendText(b, id.Kind), id.Value)
	}
	return appendText(b, s.Address)
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// readFacts reads what appendFacts wrote.
func readFacts(b []byte, s *Subject) {
	if len(b) == 0 {
		return
	}
	number := func() int {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			b = nil
			return 0
		}
		b = b[n:]
		return int(v)
	}
	text := func() string {
		n := min(number(), len(b))
		t := string(b[:n])
		b = b[n:]
		return t
	}
	for n := min(number(), len(b)); n > 0; n-- {
		s.Countries = append(s.Countries, text())
	}
	for n := min(number(), len(b)); n > 0; n-- {
		v := number()
		s.Born = append(s.Born, Date{int16(v >> 10), uint8(v >> 6 & 15), uint8(v >> 1 & 31), v&1 != 0})
	}
	s.Gender = text()
	for n := min(number(), len(b)); n > 0; n-- {
		s.Identifiers = append(s.Identifiers, Identifier{text(), text()})
	}
	s.Address = text()
}
