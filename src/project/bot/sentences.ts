import { baseOf, knownAs, languageName } from '../../catalog/index.ts';
import { lists } from '../../catalog/language-lists.ts';
import type { ScaffoldConfig } from '../../config/config.ts';
import { MOST_COLUMNS } from '../../formats/python/render.ts';
import { breakLines } from '../../text.ts';
import { py } from '../quote.ts';

const INDENT = '    ';

/**
 * What the bot is told about its language, whose name is empty if none was chosen; the sentences in the bot's language, as
 * Python; and those that Twilio's voice says before the bot is there. What isn't in that language is in English: for the
 * owner to translate, or because Twilio doesn't speak it.
 */
export function textsOf({ language }: ScaffoldConfig) {
  const name = language === null ? '' : languageName(language);
  const own = assigned(language ?? 'en', NAMES);
  const known = (code: string) => TWILIO_LANGUAGES.find(one => one === code || baseOf(one) === code);
  const voice = language === null ? undefined : (known(language) ?? known(baseOf(language)));
  return {
    twilioSentences: assigned(voice ?? 'en', ['WAIT', 'GOODBYE']) ?? [],
    twilioLanguage: voice === undefined ? '' : `, language="${voice}"`,
    hasSentences: own !== undefined,
    sentences: own ?? assigned('en', NAMES) ?? [],
    languageName: name,
    /**
     * What transcribes the bot's words in an eval, as the service and the extra are called: Moonshine, if it knows the
     * language.
     */
    evalTranscriber: language === null || knownAs(lists.moonshine, language) !== undefined ? 'moonshine' : 'whisper',
    evalLanguage: language === null ? '' : baseOf(language),
    /** For text about what people hear: the region of a dialect doesn't matter there. */
    inLanguage: language === null ? '' : ` in ${languageName(baseOf(language))}`,
    inThatLanguage: language === null ? '' : `, in ${languageName(baseOf(language))}`,
    greeting: assignText(
      'GREETING',
      `Greet the person${name && ` in ${name}`} and say in one sentence what you can help with.`,
    ),
  };
}

/** Python that assigns a text: on one line if that fits, otherwise in parentheses, as ruff formats it. */
function assignText(variable: string, text: string): string {
  const line = `${variable} = ${py(text)}`;
  if (line.length <= MOST_COLUMNS) return line;
  const most = MOST_COLUMNS - INDENT.length - '""'.length;
  const parts = text.length <= most ? [text] : breakLines(text.split(' '), most - ' '.length, '');
  const lines = parts.map((part, at) => `${INDENT}${py(at < parts.length - 1 ? `${part} ` : part)}\n`);
  return `${variable} = (\n${lines.join('')})`;
}

/** What a bot says in a call when the language model can't: it takes long, words got lost, and the bot hangs up. */
const NAMES = ['WAIT', 'REPEAT', 'GOODBYE'] as const;

/** These sentences by the language's code, without a region. */
const SENTENCES: ReadonlyMap<string, readonly string[]> = new Map(
  `
  ar | لحظة من فضلك. | عذرًا، لم أفهم ذلك. هل يمكنك إعادة ما قلته؟ | عذرًا، حدث خلل لدينا. يرجى الاتصال لاحقًا. مع السلامة.
  cs | Okamžik, prosím. | Promiňte, nerozuměl jsem. Můžete to zopakovat? | Omlouváme se, u nás něco nefunguje. Zavolejte prosím později. Na shledanou.
  da | Et øjeblik. | Undskyld, det fik jeg ikke fat i. Vil du sige det igen? | Beklager, noget virker ikke hos os. Ring venligst igen senere. Farvel.
  de | Einen Moment, bitte. | Entschuldigung, das habe ich nicht verstanden. Können Sie das wiederholen? | Entschuldigung, bei uns ist etwas gestört. Bitte rufen Sie später noch einmal an. Auf Wiederhören.
  el | Μια στιγμή, παρακαλώ. | Συγγνώμη, δεν το άκουσα καλά. Μπορείτε να το επαναλάβετε; | Συγγνώμη, κάτι δεν λειτουργεί σε εμάς. Παρακαλώ καλέστε αργότερα. Αντίο σας.
  en | One moment, please. | Sorry, I didn't catch that. Could you say it again? | Sorry, something isn't working on our side. Please call again later. Goodbye.
  es | Un momento, por favor. | Perdone, no le he entendido. ¿Puede repetirlo? | Lo sentimos, hay un problema por nuestra parte. Vuelva a llamar más tarde, por favor. Adiós.
  fi | Hetkinen, olkaa hyvä. | Anteeksi, en saanut selvää. Voisitteko toistaa? | Pahoittelut, meillä on tekninen vika. Soittakaa myöhemmin uudelleen. Kuulemiin.
  fr | Un instant, je vous prie. | Pardon, je n'ai pas compris. Pouvez-vous répéter ? | Désolé, nous avons un problème technique. Veuillez rappeler plus tard. Au revoir.
  he | רגע, בבקשה. | סליחה, לא הבנתי. אפשר לחזור על זה? | מצטערים, יש אצלנו תקלה. אנא התקשרו מאוחר יותר. להתראות.
  hi | कृपया एक क्षण रुकिए। | माफ़ कीजिए, मैं समझ नहीं पाया। क्या आप दोहरा सकते हैं? | क्षमा कीजिए, हमारी ओर से कुछ गड़बड़ है। कृपया बाद में फिर कॉल करें। नमस्ते।
  hu | Egy pillanat, kérem. | Elnézést, nem értettem. Megismételné? | Elnézést, nálunk valami nem működik. Kérjük, hívjon később. Viszonthallásra.
  id | Mohon tunggu sebentar. | Maaf, saya tidak menangkapnya. Bisa diulangi? | Maaf, ada gangguan di pihak kami. Silakan telepon lagi nanti. Sampai jumpa.
  it | Un momento, per favore. | Mi scusi, non ho capito. Può ripetere? | Ci dispiace, abbiamo un problema tecnico. La preghiamo di richiamare più tardi. Arrivederci.
  ja | 少々お待ちください。 | 申し訳ございません、聞き取れませんでした。もう一度お願いできますか。 | 申し訳ございません、ただいま問題が発生しております。後ほどおかけ直しください。
  ko | 잠시만 기다려 주세요. | 죄송합니다, 잘 듣지 못했습니다. 다시 말씀해 주시겠어요? | 죄송합니다, 저희 쪽에 문제가 생겼습니다. 나중에 다시 전화해 주세요. 안녕히 계세요.
  nb | Et øyeblikk. | Beklager, det fikk jeg ikke med meg. Kan du si det igjen? | Beklager, noe fungerer ikke hos oss. Vennligst ring igjen senere. Ha det.
  nl | Een ogenblik, alstublieft. | Sorry, dat heb ik niet verstaan. Kunt u het herhalen? | Sorry, er is bij ons een storing. Belt u later nog eens terug. Tot ziens.
  pl | Chwileczkę. | Przepraszam, nie usłyszałem. Czy może Pan lub Pani powtórzyć? | Przepraszamy, wystąpił u nas problem. Prosimy zadzwonić później. Do widzenia.
  pt | Um momento, por favor. | Desculpe, não entendi. Pode repetir? | Desculpe, estamos com um problema técnico. Por favor, ligue mais tarde. Até logo.
  ro | Un moment, vă rog. | Îmi pare rău, nu am înțeles. Puteți repeta? | Ne pare rău, avem o problemă tehnică. Vă rugăm să sunați mai târziu. La revedere.
  ru | Одну минуту, пожалуйста. | Извините, не расслышал. Повторите, пожалуйста. | Извините, у нас технические неполадки. Пожалуйста, перезвоните позже. До свидания.
  sv | Ett ögonblick. | Ursäkta, jag uppfattade inte det. Kan du säga det igen? | Tyvärr fungerar något inte hos oss. Ring gärna igen senare. Hej då.
  th | กรุณารอสักครู่ค่ะ | ขออภัยค่ะ ไม่ได้ยินชัดเจน กรุณาพูดอีกครั้งได้ไหมคะ | ขออภัยค่ะ ระบบของเราขัดข้อง กรุณาโทรมาใหม่ภายหลัง สวัสดีค่ะ
  tr | Bir dakika lütfen. | Özür dilerim, anlayamadım. Tekrar eder misiniz? | Özür dileriz, bizde bir sorun var. Lütfen daha sonra tekrar arayın. Hoşça kalın.
  uk | Хвилинку, будь ласка. | Вибачте, я не розчув. Повторіть, будь ласка. | Вибачте, у нас технічні неполадки. Будь ласка, зателефонуйте пізніше. До побачення.
  vi | Xin vui lòng chờ một chút. | Xin lỗi, tôi chưa nghe rõ. Bạn có thể nói lại không? | Xin lỗi, chúng tôi đang gặp sự cố. Vui lòng gọi lại sau. Tạm biệt.
  zh | 请稍等。 | 抱歉，我没听清。您能再说一遍吗？ | 抱歉，我们这边出了点问题。请稍后再打来。再见。
`
    .trim()
    .split('\n')
    .map(line => line.trim().split(' | '))
    .map(([code = '', ...sentences]) => [code, sentences]),
);

/** Python that assigns some of them, in this language; undefined if we don't have it. */
const assigned = (language: string, names: readonly (typeof NAMES)[number][]): string[] | undefined => {
  const own = SENTENCES.get(baseOf(language));
  return own && names.map(name => assignText(name, own[NAMES.indexOf(name)] ?? ''));
};

/** The languages that Twilio's own voice speaks: https://www.twilio.com/docs/voice/twiml/say. */
const TWILIO_LANGUAGES =
  'da-DK de-DE en-US es-ES es-MX fi-FI fr-CA fr-FR it-IT ja-JP ko-KR nb-NO nl-NL pl-PL pt-BR pt-PT ru-RU sv-SE zh-CN zh-TW'.split(
    ' ',
  );
