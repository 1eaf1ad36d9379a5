import { orElse } from '../std.ts';
import { nearest } from '../text.ts';

/**
 * The languages that `--language` accepts, as the framework's `Language` has them, except codes with another canonical
 * form, such as tl for fil, and codes of one provider, such as zh-CN-sichuan.
 */
export const LANGUAGES: readonly string[] = `
  af af-ZA am am-ET ar ar-001 ar-AE ar-BH ar-DZ ar-EG ar-IQ ar-JO ar-KW ar-LB ar-LY ar-MA ar-OM ar-QA ar-SA ar-SY
  ar-TN ar-YE as as-IN ast az az-AZ ba be be-BY bg bg-BG bn bn-BD bn-IN bo br brx brx-IN bs bs-BA ca ca-ES ceb
  ceb-PH ckb ckb-IQ ckb-IR cs cs-CZ cy cy-GB da da-DK de de-AT de-BE de-CH de-DE doi doi-IN el el-GR en en-AU
  en-CA en-GB en-GH en-HK en-IE en-IN en-KE en-NG en-NZ en-PH en-SG en-TZ en-US en-ZA eo es es-419 es-AR es-BO
  es-CL es-CO es-CR es-CU es-DO es-EC es-ES es-GQ es-GT es-HN es-MX es-NI es-PA es-PE es-PR es-PY es-SV es-US
  es-UY es-VE et et-EE eu eu-ES fa fa-AF fa-IR ff fi fi-FI fil fil-PH fo fr fr-BE fr-CA fr-CH fr-FR ga ga-IE gd gl
  gl-ES gu gu-IN ha haw he he-IL hi hi-IN hr hr-HR ht ht-HT hu hu-HU hy hy-AM id id-ID ig is is-IS it it-CH it-IT
  iu-Cans iu-Cans-CA iu-Latn iu-Latn-CA ja ja-JP jv jv-ID ka ka-GE kab kab-DZ kea kk kk-KZ km km-KH kn kn-IN ko
  ko-KR kok kok-IN ks ks-IN ku ky ky-KG la la-VA lb lb-LU lg ln lo lo-LA lt lt-LT luo lv lv-LV mai mai-IN mg mg-MG
  mi mk mk-MK ml ml-IN mn mn-MN mni mni-IN mr mr-IN ms ms-MY mt mt-MT my my-MM nb nb-NO ne ne-IN ne-NP nl nl-BE
  nl-NL nn nn-NO no nso ny oc or or-IN pa pa-IN pl pl-PL ps ps-AF pt pt-BR pt-PT ro ro-RO ru ru-RU sa sa-IN sat
  sat-IN sd sd-IN si si-LK sk sk-SK sl sl-SI sn so so-SO sq sq-AL sr sr-Latn sr-Latn-RS sr-RS su su-ID sv sv-SE sw
  sw-BI sw-KE sw-RW sw-TZ sw-UG ta ta-IN ta-LK ta-MY ta-SG te te-IN tg th th-TH tk tr tr-TR tt ug uk uk-UA umb ur
  ur-IN ur-PK uz uz-UZ vi vi-VN wo wuu wuu-CN xh-ZA yi yo yue yue-CN zh zh-CN zh-HK zh-TW zu zu-ZA
`
  .trim()
  .split(/\s+/);

/** Two codes for one language. A service may know either. */
const SAME: readonly (readonly string[])[] = [
  ['fil', 'tl'],
  ['jv', 'jw'],
  ['my', 'mymr'],
  ['no', 'nb'],
  ['zh', 'cmn'],
];

/** A code without its script and region. */
export const baseOf = (code: string): string => code.replace(/-.*/, '');

export const isEnglish = (code: string): boolean => baseOf(code) === 'en';

/** The language that a BCP 47 code means, in its usual spelling; undefined if the framework doesn't have it. */
function canonical(text: string): string | undefined {
  const typed = text.trim().replaceAll('_', '-').toLowerCase();
  const locale = localeOf(typed);
  // A script is about writing, not speech: zh-Hans is the Chinese of China.
  const spoken = [typed, locale?.toString() ?? '', locale ? withRegion(locale) : ''];
  return spoken
    .map(code => LANGUAGES.find(one => one.toLowerCase() === code.toLowerCase()))
    .find(code => code !== undefined);
}

/**
 * The code by which a service knows a language; undefined if it doesn't. It may know the language without its region, and
 * one without a region as that of one region.
 */
export function knownAs(languages: readonly string[], code: string): string | undefined {
  const base = baseOf(code);
  const same = [code, base].flatMap(one => [one, ...SAME.flatMap(codes => (codes.includes(one) ? codes : []))]);
  return same.find(one => languages.includes(one)) ?? (code === base ? regionalOf(languages, code) : undefined);
}

/** The code with a region by which a service knows a language: preferably the one with most speakers. */
export function regionalOf(languages: readonly string[], code: string): string | undefined {
  if (code !== baseOf(code)) return code;
  const regional = languages.filter(one => one.startsWith(`${code}-`));
  if (regional.length < 2) return regional[0];
  const likely = withRegion(new Intl.Locale(code));
  return regional.includes(likely) ? likely : regional[0];
}

let inEnglish: Intl.DisplayNames | undefined;

/** A language's English name: `German`, `Brazilian Portuguese`, `Chinese (Taiwan)`. */
export function languageName(code: string): string {
  // Loading the names takes a while, and most commands need none.
  inEnglish ??= new Intl.DisplayNames('en', { type: 'language' });
  return (inEnglish.of(code) ?? code).replace(/ \[.*\]/, '');
}

/** What a language calls itself. */
export const ownName = (code: string): string | undefined => new Intl.DisplayNames(code, { type: 'language' }).of(code);

/** A shorter word is a code rather than a mistyped name. */
const SHORTEST_NAME = 4;

/** The language that a word probably means which isn't a code: `german`, `Deutsch`, or a region that isn't here. */
function meant(word: string): string | undefined {
  const typed = word.trim().toLowerCase();
  const named = LANGUAGES.find(code => [languageName(code), ownName(code)].some(name => name?.toLowerCase() === typed));
  const base = LANGUAGES.find(code => code === localeOf(typed)?.language);
  const known = named ?? base;
  if (known || typed.length < SHORTEST_NAME) return known;
  const close = nearest(typed, LANGUAGES.map(languageName));
  return LANGUAGES.find(code => languageName(code) === close);
}

/** How an option takes a language: by its code in any spelling, and by a word that probably means it. */
export const languageOption = { canonical, meant };

const withRegion = (locale: Intl.Locale): string => {
  const { language, region } = locale.maximize();
  return region ? `${language}-${region}` : language;
};

const localeOf = (code: string): Intl.Locale | undefined => orElse(() => new Intl.Locale(code), undefined);
