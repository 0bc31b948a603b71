package text

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// A sample is a text in one language. Its words are separated by spaces even if its script has
// none; in that case, the method shuffled leaves them out.
type sample struct {
	name, joint, text string
}

// samples holds the first articles of the Universal Declaration of Human Rights in several
// languages, and some Go source.
var samples = []sample{
	{"english", " ", "All human beings are born free and equal in dignity and rights. They are endowed with reason and conscience and should act towards one another in a spirit of brotherhood. " +
		"Everyone is entitled to all the rights and freedoms set forth in this Declaration, without distinction of any kind, such as race, colour, sex, language, religion, political or other opinion."},
	{"french", " ", "Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison et de conscience et doivent agir les uns envers les autres dans un esprit de fraternité. " +
		"Chacun peut se prévaloir de tous les droits et de toutes les libertés proclamés dans la présente Déclaration, sans distinction aucune, notamment de race, de couleur, de sexe, d'opinion politique."},
	{"german", " ", "Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und Gewissen begabt und sollen einander im Geiste der Brüderlichkeit begegnen. " +
		"Jeder hat Anspruch auf alle in dieser Erklärung verkündeten Rechte und Freiheiten, ohne irgendeinen Unterschied, etwa nach Rasse, Hautfarbe, Geschlecht, Sprache, politischer oder sonstiger Überzeugung."},
	{"polish", " ", "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw. Są oni obdarzeni rozumem i sumieniem i powinni postępować wobec innych w duchu braterstwa. " +
		"Każdy człowiek posiada wszystkie prawa i wolności zawarte w niniejszej Deklaracji bez względu na jakiekolwiek różnice rasy, koloru, płci, języka, wyznania, poglądów politycznych i innych."},
	{"vietnamese", " ", "Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền. Mọi con người đều được tạo hóa ban cho lý trí và lương tâm và cần phải đối xử với nhau trong tình bằng hữu. " +
		"Mọi người đều được hưởng tất cả những quyền và tự do nêu trong Bản tuyên ngôn này, không phân biệt chủng tộc, màu da, giới tính, ngôn ngữ, tôn giáo, chính kiến."},
	{"russian", " ", "Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и совестью и должны поступать в отношении друг друга в духе братства. " +
		"Каждый человек должен обладать всеми правами и всеми свободами, провозглашенными настоящей Декларацией, без какого бы то ни было различия, как-то в отношении расы, цвета кожи, пола, языка, религии."},
	{"greek", " ", "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα. Είναι προικισμένοι με λογική και συνείδηση, και οφείλουν να συμπεριφέρονται μεταξύ τους με πνεύμα αδελφοσύνης. " +
		"Κάθε άνθρωπος δικαιούται να επικαλείται όλα τα δικαιώματα και όλες τις ελευθερίες που προκηρύσσει η παρούσα Διακήρυξη, χωρίς καμία απολύτως διάκριση."},
	{"arabic", " ", "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق. وقد وهبوا عقلا وضميرا وعليهم أن يعامل بعضهم بعضا بروح الإخاء. " +
		"لكل إنسان حق التمتع بكافة الحقوق والحريات الواردة في هذا الإعلان، دون أي تمييز، كالتمييز بسبب العنصر أو اللون أو الجنس أو اللغة أو الدين أو الرأي السياسي أو أي رأي آخر."},
	{"hebrew", " ", "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם. כולם חוננו בתבונה ובמצפון, לפיכך חובה עליהם לנהוג איש ברעהו ברוח של אחוה. " +
		"כל אדם זכאי לזכויות ולחרויות שנקבעו בהכרזה זו ללא הפליה כלשהיא מטעמי גזע, צבע, מין, לשון, דת, דעה פוליטית או דעה בבעיות אחרות."},
	{"hindi", " ", "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है। उन्हें बुद्धि और अन्तरात्मा की देन प्राप्त है और परस्पर उन्हें भाईचारे के भाव से बर्ताव करना चाहिए। " +
		"सभी को इस घोषणा में सन्निहित सभी अधिकारों और आज़ादियों को प्राप्त करने का हक़ है और इस मामले में जाति, वर्ण, लिंग, भाषा, धर्म, राजनीति या अन्य विचार का भेदभाव न किया जाएगा।"},
	{"thai", "", "มนุษย์ ทั้งหลาย เกิดมา มี อิสระ และ เสมอภาค กัน ใน เกียรติศักดิ์ และ สิทธิ ต่าง มี เหตุผล และ มโนธรรม และ ควร ปฏิบัติ ต่อ กัน ด้วย เจตนารมณ์ แห่ง ภราดรภาพ " +
		"ทุก คน ย่อม มี สิทธิ และ อิสรภาพ บรรดา ที่ กำหนด ไว้ ใน ปฏิญญา นี้ โดย ปราศจาก ความ แตกต่าง ไม่ ว่า ชนิด ใดๆ ดังเช่น เชื้อชาติ ผิว เพศ ภาษา ศาสนา"},
	{"chinese", "", "人人 生而 自由 ， 在 尊严 和 权利 上 一律 平等 。 他们 赋有 理性 和 良心 ， 并 应 以 兄弟 关系 的 精神 相 对待 。 " +
		"人人 有 资格 享受 本 宣言 所 载 的 一切 权利 和 自由 ， 不分 种族 、 肤色 、 性别 、 语言 、 宗教 、 政治 或 其他 见解 、 国籍 或 社会 出身 、 财产 、 出生 或 其他 身分 等 任何 区别 。"},
	{"japanese", "", "すべて の 人間 は 、 生まれ ながらに して 自由 で あり 、 かつ 、 尊厳 と 権利 と に ついて 平等 で ある 。 人間 は 、 理性 と 良心 と を 授けられて おり 、 互いに 同胞 の 精神 を もって 行動 しなければ ならない 。 " +
		"すべて 人 は 、 人種 、 皮膚 の 色 、 性 、 言語 、 宗教 、 政治上 その 他 の 意見 、 いかなる 事由 に よる 差別 を も 受ける こと なく 、 この 宣言 に 掲げる すべて の 権利 と 自由 を 享有 する こと が できる 。 テキスト データ"},
	{"korean", " ", "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 천부적으로 이성과 양심을 부여받았으며 서로 형제애의 정신으로 행동하여야 한다. " +
		"모든 사람은 인종, 피부색, 성, 언어, 종교, 정치적 또는 기타의 견해, 민족적 또는 사회적 출신, 재산, 출생 또는 기타의 신분과 같은 어떠한 종류의 차별이 없이, 이 선언에 규정된 모든 권리와 자유를 향유할 자격이 있다."},
	{"code", " ", "func (s *Server) Serve(l net.Listener) error {\n\tdefer l.Close()\n\tfor i := 0; i < len(s.conns); i++ {\n\t\trw, err := l.Accept()\n\t\tif err != nil {\n\t\t\treturn " +
		"fmt.Errorf(\"accept: %w\", err)\n\t\t}\n\t\tc := s.newConn(rw, baseCtx)\n\t\tc.setState(c.rwc, StateNew, true) // before Serve can return\n\t\tgo c.serve(connCtx)\n\t}\n}\n"},
}

// shuffled returns n random words of the sample. If the benchmark repeated the text instead, the
// branch predictor would learn it.
func (s sample) shuffled(n int) []byte {
	r, words := rand.New(rand.NewPCG(1, 1)), strings.Split(s.text, " ")
	var b []byte
	for range n {
		b = append(append(b, words[r.IntN(len(words))]...), s.joint...)
	}
	return b
}

// BenchmarkScripts measures the throughput for each sample.
func BenchmarkScripts(b *testing.B) {
	for _, o := range []Options{Default, {Shingling{Words, 3}, Aggressive}, {Shingling{Chars, 5}, Balanced}, {Shingling{Words, 3}, Conservative}} {
		for _, text := range samples {
			b.Run(o.Shingle.String()+"/"+o.Normalize.String()+"/"+text.name, func(b *testing.B) {
				s, in := NewShingler(o), text.shuffled(20000)
				var dst []uint64
				b.SetBytes(int64(len(in)))
				for b.Loop() {
					dst = s.Append(dst[:0], in)
				}
			})
		}
	}
}
