package roman

import "strings"

// Japanese names have readings of their own, which the characters do not tell: 岸田 is
// Kishida, 文雄 Fumio. These are the commonest, and some of people in public.
var (
	japaneseFamilies = readings(`
佐藤 sato 鈴木 suzuki 高橋 takahashi 田中 tanaka 伊藤 ito 渡辺 watanabe 渡邊 watanabe 渡邉 watanabe 渡部 watanabe 山本 yamamoto
中村 nakamura 小林 kobayashi 加藤 kato 吉田 yoshida 山田 yamada 佐々木 sasaki 山口 yamaguchi 松本 matsumoto 井上 inoue 木村 kimura
林 hayashi 斎藤 saito 斉藤 saito 齋藤 saito 齊藤 saito 清水 shimizu 山崎 yamazaki 森 mori 池田 ikeda 橋本 hashimoto 阿部 abe 安倍 abe
石川 ishikawa 山下 yamashita 中島 nakajima 小川 ogawa 石井 ishii 前田 maeda 岡田 okada 長谷川 hasegawa 藤田 fujita 後藤 goto
近藤 kondo 村上 murakami 遠藤 endo 青木 aoki 坂本 sakamoto 福田 fukuda 太田 ota 西村 nishimura 藤井 fujii 岡本 okamoto 藤原 fujiwara
三浦 miura 中野 nakano 金子 kaneko 中川 nakagawa 原田 harada 松田 matsuda 竹内 takeuchi 田村 tamura 中山 nakayama 小野 ono
和田 wada 石田 ishida 森田 morita 上田 ueda 原 hara 内田 uchida 柴田 shibata 酒井 sakai 宮崎 miyazaki 横山 yokoyama 高木 takagi
安藤 ando 宮本 miyamoto 大野 ono 小島 kojima 谷口 taniguchi 今井 imai 工藤 kudo 高田 takada 増田 masuda 丸山 maruyama
杉山 sugiyama 村田 murata 大塚 otsuka 新井 arai 小山 koyama 平野 hirano 藤本 fujimoto 河野 kono 上野 ueno 野口 noguchi
武田 takeda 松井 matsui 千葉 chiba 菅原 sugawara 岩崎 iwasaki 久保 kubo 木下 kinoshita 佐野 sano 野村 nomura 松尾 matsuo
菊地 kikuchi 菊池 kikuchi 杉本 sugimoto 市川 ichikawa 古川 furukawa 大西 onishi 島田 shimada 水野 mizuno 桜井 sakurai 高野 takano
吉川 yoshikawa 山内 yamauchi 西田 nishida 飯田 iida 福島 fukushima 浜田 hamada 本田 honda 豊田 toyoda 川崎 kawasaki 松下 matsushita
星野 hoshino 黒田 kuroda 土屋 tsuchiya 川口 kawaguchi 大島 oshima 矢野 yano 荒井 arai 秋山 akiyama 浅野 asano 大橋 ohashi
岸田 kishida 小泉 koizumi 麻生 aso 菅 suga 石破 ishiba 麻原 asahara 鳩山 hatoyama 野田 noda 安田 yasuda 川上 kawakami 大谷 otani
宮田 miyata 本間 honma 堀 hori 関 seki 岩田 iwata 中田 nakata 服部 hattori 片山 katayama 西川 nishikawa 東 azuma 五十嵐 igarashi
北村 kitamura 川村 kawamura 平田 hirata 小松 komatsu 熊谷 kumagai 小西 konishi 田口 taguchi 永井 nagai 松岡 matsuoka 山中 yamanaka`)
	japaneseGivens = readings(`
一郎 ichiro 二郎 jiro 次郎 jiro 三郎 saburo 四郎 shiro 五郎 goro 太郎 taro 健 ken 健一 kenichi 健二 kenji 賢治 kenji 賢二 kenji
健太 kenta 健太郎 kentaro 隆 takashi 孝 takashi 誠 makoto 茂 shigeru 浩 hiroshi 博 hiroshi 弘 hiroshi 寛 hiroshi 清 kiyoshi 勝 masaru
実 minoru 進 susumu 正 tadashi 和夫 kazuo 一夫 kazuo 和男 kazuo 文雄 fumio 文夫 fumio 明 akira 昭 akira 彰 akira 学 manabu 豊 yutaka
修 osamu 治 osamu 大輔 daisuke 翔太 shota 拓也 takuya 達也 tatsuya 直樹 naoki 哲也 tetsuya 秀樹 hideki 英樹 hideki 和也 kazuya
裕之 hiroyuki 博之 hiroyuki 弘之 hiroyuki 義雄 yoshio 正雄 masao 晋三 shinzo 純一郎 junichiro 太一 taichi 信夫 nobuo 幸雄 yukio 行雄 yukio
由紀夫 yukio 康夫 yasuo 喜朗 yoshiro 直人 naoto 義偉 yoshihide 彰晃 shoko 翔 sho 剛 tsuyoshi 聡 satoshi 哲 satoshi 智 satoshi 武 takeshi
毅 takeshi 健司 kenji 浩二 koji 浩司 koji 幸二 koji 光 hikaru 純 jun 淳 jun 潤 jun 徹 toru 亮 ryo 涼 ryo 涼太 ryota 翼 tsubasa
大翔 hiroto 悠斗 yuto 翔平 shohei 太陽 taiyo 伸一 shinichi 真一 shinichi 慎太郎 shintaro 耕太郎 kotaro 龍太郎 ryutaro 雄一 yuichi 裕一 yuichi
花子 hanako 恵子 keiko 洋子 yoko 陽子 yoko 幸子 sachiko 和子 kazuko 節子 setsuko 文子 fumiko 久美子 kumiko 由美子 yumiko 真由美 mayumi
智子 tomoko 裕子 yuko 優子 yuko 美香 mika 恵 megumi 愛 ai 直美 naomi 明美 akemi 京子 kyoko 順子 junko 典子 noriko 美穂 miho
香織 kaori 彩 aya 舞 mai 純子 junko 恭子 kyoko 良子 yoshiko 美智子 michiko 雅子 masako 紀子 noriko 佳子 kako 悠仁 hisahito 徳仁 naruhito 明仁 akihito`)
)

// fromJapanese reads a person's name that begins with a family that is known, or ends
// with a given name that is. One that is written in part only has that part.
func fromJapanese(word []rune, alone bool) (out [][]string) {
	if !alone {
		for _, names := range []map[string]string{japaneseFamilies, japaneseGivens} {
			if reading, is := names[string(word)]; is {
				out = append(out, []string{reading})
			}
		}
		return out
	}
	for n := min(3, len(word)-1); n > 0; n-- {
		family, isFamily := japaneseFamilies[string(word[:n])]
		given, isGiven := japaneseGivens[string(word[n:])]
		switch {
		case isFamily && isGiven:
			return [][]string{{family, given}}
		case isFamily:
			return [][]string{{family, kun.spell(word[n:])}, {family, on.spell(word[n:])}}
		case isGiven && n == 2:
			return [][]string{{kun.spell(word[:n]), given}}
		}
	}
	return nil
}

// readings are words and how each is read.
func readings(list string) map[string]string {
	m := map[string]string{}
	words := strings.Fields(list)
	for i := 0; i < len(words); i += 2 {
		m[words[i]] = words[i+1]
	}
	return m
}
