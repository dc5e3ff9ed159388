"""English, or not: many languages, short texts, and English that looks odd."""

from __future__ import annotations

import time

import pytest

from nacc.deadline import Deadline, within
from nacc.errors import Stopped
from nacc.text.language import _other_language, _table, _words, reason_not_english

FOREIGN = {
    "Chinese": ["北京今天下大雨", "苹果公司发布新手机", "中国经济去年增长百分之五,专家表示"],
    "Japanese": ["東京で大きな地震がありました", "新しいiPhoneが発売されます", "首相が辞任を表明"],
    "Korean": ["서울에 많은 눈이 내렸다", "대통령이 새 총리를 임명했다", "삼성, 새 휴대전화 공개"],
    "Arabic": [
        "أعلن الرئيس استقالته اليوم",
        "ارتفاع أسعار النفط في الأسواق",
        "مقتل عشرة في انفجار",
    ],
    "Hebrew": ["ראש הממשלה התפטר היום", "מחירי הדלק עולים מחר", "שני הרוגים בתאונת דרכים"],
    "Russian": [
        "Президент объявил о своей отставке",
        "Цены на нефть снова выросли",
        "Погода завтра",
    ],
    "Greek": ["Ο πρωθυπουργός παραιτήθηκε σήμερα", "Αυξήθηκαν οι τιμές του πετρελαίου", "Καλημέρα"],
    "Thai": ["นายกรัฐมนตรีประกาศลาออกวันนี้", "ราคาน้ำมันสูงขึ้นอีก", "ฝนตกหนักในกรุงเทพ"],
    "Hindi": ["प्रधानमंत्री ने आज इस्तीफा दिया", "तेल की कीमतें फिर बढ़ीं", "दिल्ली में भारी बारिश"],
    "German": [
        "Verkehrsminister tritt wegen der Maut zurück",
        "Zwei Tote bei Unfall auf der Autobahn",
        "Ihre Bestellung wurde verschickt und kommt am Montag an",
        "Der Ausschuss lehnte den Vorschlag mit großer Mehrheit ab.",
        "Neue Fabrik in Leipzig eröffnet",
    ],
    "French": [
        "Le maire de Lyon démissionne après un scandale",
        "Deux morts dans un accident de la route",
        "Votre commande a été expédiée ce matin",
        "La croissance ralentit dans toute la zone euro",
    ],
    "Spanish": [
        "El alcalde de Sevilla dimite tras el escándalo",
        "Dos muertos en un accidente de carretera",
        "Su pedido ha sido enviado esta mañana",
        "Los precios suben otra vez en la capital",
    ],
    "Portuguese": [
        "Prefeito de Recife renuncia após escândalo",
        "Dois mortos em acidente na estrada",
        "O seu pedido foi enviado esta manhã",
        "Os preços voltam a subir na capital",
    ],
    "Italian": [
        "Il sindaco di Torino si dimette dopo lo scandalo",
        "Due morti in un incidente stradale",
        "Il tuo ordine è stato spedito stamattina",
        "I prezzi tornano a salire nella capitale",
    ],
    "Dutch": [
        "Burgemeester van Utrecht stapt op na schandaal",
        "Twee doden bij ongeluk op de snelweg",
        "Uw bestelling is vanochtend verzonden",
        "Prijzen stijgen opnieuw in de hoofdstad",
    ],
    "Swedish": [
        "Borgmästaren i Malmö avgår efter skandalen",
        "Två döda i olycka på motorvägen",
        "Din beställning skickades i morse",
        "Priserna stiger igen i huvudstaden",
    ],
    "Danish": [
        "Borgmesteren i Aarhus går af efter skandale",
        "To dræbt i ulykke på motorvejen",
        "Din bestilling blev sendt i morges",
        "Priserne stiger igen i hovedstaden",
    ],
    "Norwegian": [
        "Ordføreren i Bergen går av etter skandale",
        "To drept i ulykke på motorveien",
        "Bestillingen din ble sendt i dag",
        "Prisene stiger igjen i hovedstaden",
    ],
    "Polish": [
        "Burmistrz Gdyni rezygnuje po skandalu",
        "Dwie osoby zginęły w wypadku na autostradzie",
        "Twoje zamówienie zostało wysłane dziś rano",
        "Ceny znowu rosną w stolicy kraju",
    ],
    "Czech": [
        "Starosta Plzně odstupuje po skandálu",
        "Dva mrtví při nehodě na dálnici",
        "Vaše objednávka byla dnes odeslána",
        "Ceny v hlavním městě opět rostou",
    ],
    "Turkish": [
        "İzmir belediye başkanı skandalın ardından istifa etti",
        "Otoyolda kaza: iki kişi öldü",
        "Siparişiniz bu sabah gönderildi",
        "Başkentte fiyatlar yeniden yükseliyor",
    ],
    "Vietnamese": [
        "Thị trưởng từ chức sau vụ bê bối",
        "Hai người chết trong tai nạn giao thông",
        "Đơn hàng của bạn đã được gửi sáng nay",
        "Giá cả lại tăng ở thủ đô",
    ],
    "Indonesian": [
        "Wali kota mengundurkan diri setelah skandal",
        "Dua orang tewas dalam kecelakaan di jalan tol",
        "Pesanan Anda telah dikirim pagi ini",
        "Harga kembali naik di ibu kota",
    ],
    "Finnish": [
        "Turun pormestari eroaa kohun jälkeen",
        "Kaksi kuoli onnettomuudessa moottoritiellä",
        "Tilauksesi lähetettiin tänä aamuna",
        "Hinnat nousevat taas pääkaupungissa",
    ],
    "Hungarian": [
        "Lemondott a szegedi polgármester a botrány után",
        "Ketten meghaltak egy autópályán történt balesetben",
        "A rendelését ma reggel elküldtük",
        "Ismét emelkednek az árak a fővárosban",
    ],
    "Romanian": [
        "Primarul din Cluj demisionează după scandal",
        "Doi morți într-un accident pe autostradă",
        "Comanda dumneavoastră a fost trimisă azi dimineață",
        "Prețurile cresc din nou în capitală",
    ],
}
ENGLISH = """
Man bites dog
He did not resign.
It's not over
Payment failed: try another card
MAYOR OF TURIN QUITS AFTER SCANDAL
Borussia Dortmund beat Bayern Munich 2-1 in Der Klassiker
Angela Merkel meets Emmanuel Macron in Aix-la-Chapelle
José Álvarez wins Vuelta a España
Beijing (北京) expects heavy snow on Friday
The Russian word перестройка means restructuring
japan 's nikkei falls #.# percent in early trading
UNK , the spanish matador , dies at ##
fc barcelona signs brazilian striker from real sociedad
Xiaomi launches Redmi Note 13 Pro+ in India
Samsung Galaxy S24 Ultra 512GB Titanium Gray
Python bindings for libusb
command-line JSON processor
GTK+ frontend to mpd
perl module to parse Apache log files
fix(parser): handle NULL deref in foo_bar() when argc == 0
if (x < 0) return -EINVAL; // bad index
const int *p = malloc(sizeof(*p));
Volkswagen and Siemens to open joint plant near Wolfsburg
Lufthansa, Air France-KLM shares rise
Sao Paulo mayor Bruno Covas dies at 41
Indonesia volcano erupts, thousands flee
Vladimir Putin and Xi Jinping hold talks in Samarkand
Hakuna Matata: The Lion King returns
De Niro to star in new Scorsese film
Your order has shipped 🎉
Wi-Fi 6E router w/ USB-C
Re: lunch tmrw?
Q3 EPS $1.02 vs $0.98 est.
Order #1234 delayed
TODO
Hello
OK
Ortiz was beaten 6-3 6-2 by Novotna
the "Gemütlichkeit" of a Viennese café
""".strip().splitlines()


@pytest.mark.parametrize(("language", "texts"), FOREIGN.items(), ids=FOREIGN)
def test_other_languages_are_told(language, texts):
    assert [text for text in texts if not reason_not_english(text)] == []


@pytest.mark.parametrize("text", ENGLISH)
def test_english_passes(text):
    assert reason_not_english(text) is None


@pytest.mark.parametrize(
    "text", ["", " ", "!!!", "—", "🎉🎉🎉", "42", "…", "x" * 5000, "\x00", "1 + 2"]
)
def test_without_words_there_is_nothing_to_tell(text):
    assert reason_not_english(text) == "there are no words in it"


def test_the_reason_names_the_language():
    assert "German" in str(reason_not_english("Wir wissen noch nicht, wer es war"))
    assert "Chinese" in str(reason_not_english("北京今天下大雨"))


def test_a_long_text_takes_no_longer():
    reason_not_english("warm")
    start = time.process_time()
    reason_not_english("word " * 1_000_000)
    reason_not_english("@" * 1_000_000)
    assert time.process_time() - start < 0.2


def test_looking_at_words_that_nobody_has_said_before_can_be_stopped():
    gone = Deadline()
    gone.cancel()
    with within(gone), pytest.raises(Stopped):
        reason_not_english("Zulqar vembrito qasset dorvini ülmöggen pråtvyk")


@pytest.mark.parametrize("text", [text for texts in FOREIGN.values() for text in texts])
def test_what_is_plainly_english_is_so_when_looked_at_closely(text):
    """The quick look is never surer than the long one, whatever is around a foreign text, and
    whether its words are new or known."""
    for more in ("", " WHO SAID THAT IN PARIS", ", he said on Monday", " of the U.S. and the UK"):
        for whole in (text + more, (text + more).upper(), f"The mayor said: {text}{more}"):
            parts = whole.split()
            words = [word for part in parts for word in _words(part)]
            for _ in range(2):
                if _table().is_plain(parts):
                    assert _other_language(words) is None
