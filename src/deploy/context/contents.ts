import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { basename, posix } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { isSecret, providerVariables } from '../../catalog/index.ts';
import { isProtected } from '../../project/protected.ts';
import { orElse, unique } from '../../std.ts';
import { onOneLine } from '../../text.ts';
import { isLocalAddress } from '../../this-computer.ts';
import { readRules } from './rules.ts';

/**
 * Whether a file holds a secret, from what is in it. Files are named in any way, so names only decide where nothing
 * else can: see `project/protected.ts`.
 */

/** More bytes than a file with a key in it usually has. A larger one isn't read, unless it's an archive. */
const LARGEST = 2 ** 18;
/** More bytes than the archive of a project has, also unpacked. In a larger one, nobody looks for names. */
const LARGEST_ARCHIVE = 2 ** 24;
/** A binary file has a NUL byte in its first bytes, and an archive says what it is. */
const HEAD = 2 ** 12;

/** What a file reveals. No part of a value. */
export interface RevealedSecret {
  /** `line 3`, or `it` if that is the whole file. */
  where: string;
  what: string;
  /** Whether a deploy only warns of it: an image without code may not work, or the value only may be a password. */
  isUploaded: boolean;
}

/** Code names keys far more often than it has any, documents show how to write them, and env files have little else. */
type Kind = 'code' | 'document' | 'data' | 'env';

const KINDS: readonly [kind: Kind, name: RegExp][] = [
  ['code', /\.(?:py[iwx]?|[cm]?[jt]sx?|go|rs|java|kts?|swift|rb|php|cs|c|cc|cpp|h|hpp|lua|sql|vue|svelte|html?|css)$/i],
  ['document', /\.(?:md|mdx|rst|adoc)$/i],
  ['env', /^\.?(?:env|secrets?|credentials?)(?:[._-]|$)|[._-](?:env|vars|tfvars|tfvars\.json)$|^[._]\w+rc$/i],
];

/** The first secret in a file, or in the names of an archive. Nothing if it's large, unreadable or a link. */
export function revealedIn(path: string): RevealedSecret | undefined {
  // The upload reads the file, too, and says why it can't.
  const packed = orElse(() => readSmall(path), NO_BYTES);
  const isGzip = startsWith(packed, GZIP);
  const limit = { maxOutputLength: LARGEST_ARCHIVE };
  const contents = isGzip ? orElse(() => gunzipSync(packed, limit), NO_BYTES) : packed;
  const entry = [...entriesOf(contents)].find(isSecretEntry);
  if (entry !== undefined) return { where: 'it', what: `contains ${onOneLine(entry)}`, isUploaded: false };
  if (contents.length > LARGEST) return undefined;
  const text = decode(contents);
  if (typeof text === 'string') return revealedBy(text, basename(path, isGzip ? '.gz' : ''));
  const found = firstIn(text.printable, 'data', BINARY_RULES);
  return found && { ...found, where: 'it' };
}

/** A small file or an archive; nothing of another one. */
function readSmall(path: string): Buffer {
  const handle = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const read = (bytes: number) => {
    const buffer = Buffer.allocUnsafe(bytes);
    return buffer.subarray(0, readSync(handle, buffer, 0, bytes, 0));
  };
  try {
    const stat = fstatSync(handle);
    if (!stat.isFile() || stat.size > LARGEST_ARCHIVE) return NO_BYTES;
    return stat.size <= LARGEST || isArchive(read(HEAD)) ? read(stat.size) : NO_BYTES;
  } finally {
    closeSync(handle);
  }
}

const NO_BYTES = Buffer.alloc(0);
const GZIP = '\x1f\x8b';
const ZIP = 'PK\x03\x04';
/** Before the name of each file at the end of a zip, and in a header of tar. */
const [ZIP_ENTRY, TAR] = ['PK\x01\x02', 'ustar'];
const TAR_BLOCK = 512;

const startsWith = (contents: Buffer, start: string, at = 0): boolean =>
  contents.toString('latin1', at, at + start.length) === start;

const isArchive = (contents: Buffer): boolean =>
  startsWith(contents, ZIP) || startsWith(contents, GZIP) || startsWith(contents, TAR, 257);

/** The names of the files in a zip or a tar: none if it's something else. */
function* entriesOf(contents: Buffer): Generator<string> {
  const last = startsWith(contents, ZIP) ? contents.length - 46 : -1;
  for (let at = contents.indexOf(ZIP_ENTRY); at !== -1 && at <= last; at = contents.indexOf(ZIP_ENTRY, at + 1)) {
    yield contents.toString('utf8', at + 46, at + 46 + contents.readUInt16LE(at + 28));
  }
  for (let at = 0; startsWith(contents, TAR, 257) && at < contents.length; at += TAR_BLOCK) {
    const part = (from: number, length: number) =>
      contents.toString('utf8', at + from, at + from + length).replace(/\0.*$/s, '');
    if (startsWith(contents, TAR, at + 257))
      yield posix.join(startsWith(contents, `${TAR}\0`, at + 257) ? part(345, 155) : '', part(0, 100));
  }
}

const NO_RULES = readRules('');

/** Whether a file in an archive is an env file or a key, by its name. Packages have certificates and examples. */
const isSecretEntry = (name: string): boolean =>
  (isProtected(name) || NO_RULES.judge(posix.join('.', name)).by !== undefined) &&
  !/\/$|\.(?:example|sample|template|dist)$|^(?!.*key[^/]*$).*\.pem$/i.test(name);

export const revealedBy = (text: string, name: string): RevealedSecret | undefined =>
  firstIn(text, KINDS.find(([, pattern]) => pattern.test(name))?.[0] ?? 'data', RULES);

/** What doesn't keep a file out, and only counts if there is no other secret. */
const DOUBTFUL = 'may have a password';

function firstIn(text: string, kind: Kind, rules: readonly Rule[]): RevealedSecret | undefined {
  let doubtful: RevealedSecret | undefined;
  for (const { pattern, judge } of rules) {
    for (const match of text.matchAll(pattern)) {
      const what = judge(match, kind, text);
      const isDoubtful = what === DOUBTFUL;
      if (what === undefined || (isDoubtful && doubtful)) continue;
      const found = { where: `line ${lineAt(text, match.index)}`, what, isUploaded: kind === 'code' || isDoubtful };
      if (!isDoubtful) return found;
      doubtful = found;
    }
  }
  return doubtful;
}

const lineAt = (text: string, end: number): number => text.slice(0, end).split(/\r\n|\r|\n/).length;

interface Rule {
  pattern: RegExp;
  /** What a match reveals; undefined if it is no secret, after all. */
  judge(match: RegExpExecArray, kind: Kind, text: string): string | undefined;
}

const rule = (source: string, judge: Rule['judge'], flags = 'g'): Rule => ({
  pattern: new RegExp(source, flags),
  judge,
});

/** The tokens whose beginnings nothing else has, and whose they are. */
const TOKENS: readonly [of: string, pattern: string][] = [
  ['OpenAI or a service like it', 'sk-(?:proj|svcacct|admin|or-v1)-[\\w-]{20,}'],
  ['Anthropic', 'sk-ant-[\\w-]{20,}'],
  ['Groq', 'gsk_[A-Za-z0-9]{32,}'],
  ['ElevenLabs', 'sk_[0-9a-f]{48}'],
  ['Cartesia', 'sk_car_[A-Za-z0-9]{20,}'],
  ['Perplexity', 'pplx-[A-Za-z0-9]{32,}'],
  ['NVIDIA', 'nvapi-[\\w-]{40,}'],
  ['Cerebras', 'csk-[A-Za-z0-9]{32,}'],
  ['Together', 'tgp_v1_[\\w-]{40,}'],
  ['Tavily', 'tvly-(?:(?:dev|prod)-)?[A-Za-z0-9-]{28,}'],
  ['LangSmith', 'lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}'],
  // Zeros in Base64 are a row of A.
  ['AWS', 'A[KS]IA(?![0-9A-Z]{0,13}AAA)[0-9A-Z]{16}'],
  ['GitHub', 'gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\\w{22,}'],
  ['GitLab', 'glpat-[\\w-]{20,}'],
  [
    'Slack',
    'xox[abeoprs]-[A-Za-z0-9-]{20,}|xapp-\\d-A[A-Z0-9]{8,12}-\\d{9,15}-[0-9a-f]{60,}|hooks\\.slack\\.com/services/T\\w{8,12}/B\\w{8,12}/\\w{20,}',
  ],
  ['Discord', 'discord(?:app)?\\.com/api/webhooks/\\d{15,20}/[\\w-]{60,}'],
  ['Stripe', '[rs]k_(?:live|test)_[A-Za-z0-9]{20,}|whsec_[A-Za-z0-9+/]{32,}'],
  ['Shopify', 'shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}'],
  ['SendGrid', 'SG\\.[\\w-]{20,}\\.[\\w-]{20,}'],
  ['npm', 'npm_[A-Za-z0-9]{36}'],
  ['PyPI', 'pypi-[\\w-]{50,}'],
  ['Docker', 'dckr_[po]at_[\\w-]{24,}'],
  ['Google', 'AIza[\\w-]{35}|GOCSPX-[\\w-]{20,}|ya29\\.[\\w-]{20,}'],
  ['Databricks', 'dapi[0-9a-f]{32}'],
  ['Linear', 'lin_(?:api|oauth)_[A-Za-z0-9]{32,}'],
  ['Notion', 'ntn_[A-Za-z0-9]{40,}'],
  ['Supabase', 'sbp_(?:v0_|oauth_)?[0-9a-f]{40}|sb_secret_(?=[A-Za-z_-]{0,40}\\d)[\\w-]{30,}'],
  ['Airtable', 'pat[A-Za-z0-9]{14}\\.[0-9a-f]{64}'],
  ['Grafana', 'glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}|glc_[A-Za-z0-9+/]{32,}'],
  ['New Relic', 'NRAK-[0-9A-Z]{27}'],
  ['Postman', 'PMAK-[0-9a-f]{24}-[0-9a-f]{34}'],
  ['Figma', 'figd_[\\w-]{36,}'],
  ['Sentry', 'sntrys_eyJ[\\w+/=-]{30,}|sntryu_[0-9a-f]{64}'],
  ['Fly', 'fm[12][ar]?_[A-Za-z0-9+/]{40,}'],
  ['Doppler', 'dp\\.(?:pt|st|ct|sa)\\.[\\w.-]{40,}'],
  ['DigitalOcean', 'do[op]_v1_[0-9a-f]{64}'],
  ['age', 'AGE-SECRET-KEY-1[0-9A-Z]{50,}'],
  ['Pipecat Cloud', 'pcc_pat_[\\w-]{16,}'],
  ['Telnyx', 'KEY[0-9A-F]{32}_[A-Za-z0-9]{22}'],
  ['Pinecone', 'pcsk_[A-Za-z0-9]{4,8}_[A-Za-z0-9]{40,}'],
  ['Atlassian', 'ATATT3x[\\w=-]{60,}'],
  ['Amazon Bedrock', 'ABSK[A-Za-z0-9+/]{60,}'],
  ['Neon', 'napi_[a-z0-9]{40,}'],
  ['PlanetScale', 'pscale_(?:tkn|oauth|pw)_[\\w-]{30,}'],
  ['HubSpot', 'pat-(?:na|eu)\\d-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'],
  ['Mapbox', 'sk\\.eyJ[\\w-]{40,}\\.[\\w-]{20,}'],
  ['Azure', 'sig=[A-Za-z0-9%]{40,60}%3D(?![A-Za-z0-9%])'],
];

/** Those whose beginnings may be the end of a word or of a number. */
const VAGUE_TOKENS: typeof TOKENS = [
  ['OpenAI or a service like it', 'sk-[A-Za-z0-9]{32,}'],
  ['xAI', 'xai-[A-Za-z0-9]{40,}'],
  ['Hugging Face', 'hf_[A-Za-z0-9]{30,}'],
  ['Replicate', 'r8_[A-Za-z0-9]{32,}'],
  ['Fireworks', 'fw_(?=[A-Za-z]{0,30}\\d)(?=[a-z0-9]{0,30}[A-Z])[A-Za-z0-9]{20,}'],
  ['Mailgun', 'key-[0-9a-f]{32}(?![\\w-])'],
  ['Telegram', '(?:bot)?\\d{8,10}:AA[\\w-]{33}(?![\\w-])'],
  ['Google', '1//0[\\w-]{40,}|AQ\\.(?=[A-Za-z_-]{0,40}\\d)[\\w-]{40,}'],
  ['Vault', 'hv[bs]\\.[\\w-]{24,}'],
  ['Discord', '[MNO][DTjz][\\w-]{22,26}\\.[\\w-]{6}\\.[\\w-]{27,40}(?![\\w-])'],
  ['Resend', 're_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}'],
  ['Sarvam', 'sk_[a-z0-9]{8}_[A-Za-z0-9]{20,}'],
];

const ALL_TOKENS = [...TOKENS, ...VAGUE_TOKENS];

const anyOf = (tokens: typeof TOKENS): string => `(?:${tokens.map(([, pattern]) => pattern).join('|')})`;

const ownerOf = (token: string): string =>
  ALL_TOKENS.find(([, pattern]) => new RegExp(`^(?:${pattern})`).test(token))?.[0] ?? '';

/** An assignment in an env file, a script, JSON, YAML, TOML, HCL or INI: of `NAME` or `path.name`, quoted or not. */
const NAME = String.raw`(?<![\w.?&])(?<name>[A-Za-z_][\w.-]{2,127})`;
const QUOTE = String.raw`\\?["']`;
const SCHEME = '(?:Bearer|Basic|Token) {1,9}';
// Ahead, so that another assignment may begin in what looked like a value.
const VALUE = String.raw`(?=[bru]?\\?(?<quote>["'])(?<quoted>[^"'\\\r\n]{6,4096})|(?<bare>(?:${SCHEME})?[^\s"'\\,;{}()[\]<>]{6,4096}))`;

const BEFORE_VALUE = new RegExp(`^${SCHEME}`, 'i');

/** What may be between a name and its value but an assignment. A line may end in it, but not right after the name. */
const TAGS = String.raw`</\w{1,20}>\s{0,99}<\w{1,20}>`;
const MARK = String.raw`[ \t"'\`[\](){},;|:=?<>*!\\-]`;
const WORD = '(?:or|else|default|value|str|string|is|to)';
const BETWEEN = String.raw`(?:${TAGS}|${MARK}{1,40}(?:${WORD}${MARK}{1,40})?(?:(?<=\S)\s{1,99}(?:${WORD}${MARK}{1,40}|- )?)?)["'\`]?(?:${SCHEME})?`;

const LISTED_NAME = String.raw`\b(?:Parameter)?(?:[Nn]ame|[Kk]ey)["']?\s{0,9}[:=]\s{0,9}["']?(?<name>[A-Za-z_][\w-]{2,63})`;
const LISTED_VALUE = String.raw`["']?\b(?:Parameter)?[Vv]alue["']?\s{0,9}[:=]\s{0,9}${VALUE}`;
const NEXT = String.raw`["']?(?:,\s{0,99}|\s{1,99})`;

const PASSWORD = String.raw`(?<password>[^\s:/?#@"'<>]{6,128})`;
const ARGUMENT = String.raw`["']?(?<password>[^\s"'<>|;&]{6,256})`;

/** A password or a key next to a host (URLs, netrc, PostgreSQL), or without one (commands, SQL, connection strings). */
const LOGINS: readonly string[] = [
  String.raw`\b[a-z][a-z0-9+.-]{1,20}://[^\s:/?#@"'<>]{0,64}:${PASSWORD}@(?<host>[\w.-]+)`,
  String.raw`\b[a-z][a-z0-9+.-]{1,20}://(?<host>[\w.-]+)[^\s"'<>]{0,300}?[?&](?<name>(?:api[_-]?|subscription-)key|(?:access_?)?token)=(?<password>[\w.~-]{16,512})`,
  String.raw`\bmachine\s{1,9}(?<host>[\w.-]+)\s{1,99}login\s{1,9}\S{1,64}\s{1,99}password\s{1,9}${PASSWORD}`,
  String.raw`(?<=^|\n)(?<host>[\w.-]+|\*):(?:\d{2,5}|\*):[^:\s]{1,64}:[^:\s]{1,64}:(?<password>[^\s:/?#@"'<>]{8,128})(?=\s|$)`,
  // Docker's user and group are short.
  String.raw`(?<![\w-])(?:-u|--user)(?:[ =]|["'],\s{0,9})["']?[\w.@+-]{1,64}:(?<password>[^\s"'<>|;&]{12,256})`,
  String.raw`\b(?:mysql(?:dump|admin|sh)?|mariadb)\b[^\n;|]{0,200}?[\s"']-p${ARGUMENT}`,
  String.raw`\bsshpass["']?[\s,]{1,9}["']?-p["']?[\s,]{0,9}${ARGUMENT}`,
  String.raw`\b(?:docker|podman|helm registry|oras|az|oc) login\b[^\n;|]{0,200}?\s-p[ =]${ARGUMENT}`,
  String.raw`\bgh\s{1,9}secret\s{1,9}set\s{1,9}(?<name>\w{1,64})\b[^\n;|]{0,200}?\s(?:--body|-b)[ =]${ARGUMENT}`,
  String.raw`\b(?:password|identified\s{1,9}(?:with\s{1,9}\S{1,40}\s{1,9})?by)\s{1,9}'(?<password>[^\s'\\]{6,256})'`,
  String.raw`;\s{0,9}(?:pwd|password)\s{0,9}=\s{0,9}(?<password>[^\s;"'<>]{6,256})(?=\s{0,9}[;"'])`,
];

function judgeLogin({ groups: { host, name, password = '' } = {} }: RegExpExecArray, kind: Kind): string | undefined {
  if (host !== undefined && kind === 'document') return undefined;
  if (host !== undefined && !isRemote(host))
    return isPrivate(host) && looksRandom(password, 12) ? doubtAbout(password, kind) : undefined;
  // A parameter of an address may be anything, and an argument in code or in a document a word.
  const isPlain = host === undefined ? isSetting(kind) : name === undefined;
  const isLong = isPlain ? password.length >= (host === undefined ? 12 : 8) : looksRandom(password);
  if (isLong && isPassword(password)) return name === undefined ? 'has a password' : `sets ${name}`;
  return name === undefined ? doubtAbout(password, kind) : undefined;
}

/** What a file has whose purpose is a key. Others quote it in Base64. */
const KEY_RULES: readonly Rule[] = [
  {
    pattern: /"type"\s{0,9}:\s{0,9}"(?:service_account|authorized_user)"/g,
    judge(_match, kind, text) {
      const [, secret] = /"(?:private_key|refresh_token)"\s{0,9}:\s{0,9}"([^"]*)"/.exec(text) ?? [];
      const isReal = secret === undefined || (secret.length >= 8 && !PLACEHOLDER.test(secret));
      return isReal && kind !== 'code' && kind !== 'document' ? 'has credentials of Google Cloud' : undefined;
    },
  },
  {
    pattern: /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----(?<body>[\s\S]{0,400})/g,
    judge({ groups: { body = '' } = {} }, kind) {
      // Code may quote the lines.
      const isWhole = /^(?:\\[nr]|\W|[A-Z][\w-]{2,20}: [^\r\n\\]{1,80}(?=[\r\n\\]))*?[A-Za-z0-9+/=]{40}/.test(body);
      // Others may mention it, such as a program that looks for keys, or a text.
      const [, line = ''] =
        /^\s{0,9}(?:\\{1,4}[nr]|[\r\n])(?:\\{1,4}[nr]|\s)*([A-Za-z0-9+/=]{3,}(?![^\r\n\\"'])|[A-Z][\w-]+: )/.exec(
          body,
        ) ?? [];
      const isShort = /[A-Z]/.test(line) && !PLACEHOLDER.test(body.slice(0, 80));
      return isWhole || (isShort && kind !== 'code' && kind !== 'document') ? 'has a private key' : undefined;
    },
  },
  rule(
    [
      // DER (PKCS #12, PKCS #8, PKCS #1, SEC 1), and Java's key stores: the beginning of a binary file, in hexadecimal.
      String.raw`^(?=[\da-f]{24} )(?:feedfeed|cececece|30(?:82.{4}|81..|[0-7].)0201(?:00(?:30|02)|0104|0330))`,
      String.raw`^PuTTY-User-Key-File-\d`,
      String.raw`-----BEGIN OpenVPN Static key V1-----\s+[\da-f]{32}`,
    ].join('|'),
    () => 'has a private key',
  ),
  {
    // The Base64 of DER without the lines around it: PKCS #8 (RSA, EC, Ed25519), PKCS #1, SEC 1.
    pattern:
      /(?<![A-Za-z0-9+/])(?:MII[A-Za-z0-9+/]{2,6}(?:IBADANBgkqhkiG9w0BAQEFAAS|IBAAKC)|M[A-Za-z0-9+/]{3}AgEAM[A-Za-z0-9+/]{2}GByqGSM49AgEG|MC4CAQAwBQYDK2VwBCIE|M[A-Za-z0-9+/]{2,3}CAQEEI)[A-Za-z0-9+/]{20,}/g,
    judge: (_match, kind) => (kind === 'document' ? undefined : 'has a private key'),
  },
  {
    pattern: /"d"\s{0,9}:\s{0,9}"(?<key>[\w-]{32,}={0,2})"/g,
    judge: (_match, _kind, text) => (/"kty"\s{0,9}:/.test(text) ? 'has a private key' : undefined),
  },
];

/** Not after what may belong to a name or to a value. Python's pickles have a letter before a text. */
const START = String.raw`(?:(?<![\w-])|(?<=(?:^|\n)V))`;

const tokenRules = (pattern: string): readonly Rule[] => [
  {
    pattern:
      /(?:(?<![\w-])eyJ[\w-]{10,}|eyJ(?:hbGci|0eXAi|raWQi)[\w-]{5,500})\.(?<claims>eyJ[\w-]{10,})\.(?<signature>[\w-]{20,})/g,
    judge({ groups: { claims = '', signature = '' } = {} }) {
      const text = Buffer.from(claims, 'base64url').toString();
      const isHarmless = /"role":\s?"anon"/.test(text) || isMadeUp(text) || !isValue(signature);
      return isHarmless ? undefined : 'has a JSON Web Token';
    },
  },
  rule(pattern, ([token], _kind, text) => {
    // Web pages show those of Firebase.
    const isShown = token.startsWith('AIza') && /firebase/i.test(text);
    return isShown || isMadeUp(token) ? undefined : `has a token of ${ownerOf(token)}`;
  }),
];

const CODED_KEY: Rule = {
  // PEM or JSON.
  pattern: /(?<![A-Za-z0-9+/])(?:LS0tLS1C|eyJ|eyA|ewo|ew0|ewk)[A-Za-z0-9+/]{40,}/g,
  judge: ([code], kind) => firstIn(Buffer.from(code, 'base64').toString('latin1'), kind, KEY_RULES)?.what,
};

/** What is a secret under any name, or none. In a database, a token follows the column before it without a gap. */
const BINARY_RULES: readonly Rule[] = [
  ...KEY_RULES,
  CODED_KEY,
  ...tokenRules(`${anyOf(TOKENS)}|${START}${anyOf(VAGUE_TOKENS)}`),
];

const RULES: readonly Rule[] = [
  ...KEY_RULES,
  CODED_KEY,
  ...tokenRules(START + anyOf(ALL_TOKENS)),
  ...LOGINS.map(source => rule(source, judgeLogin, 'gi')),
  {
    pattern: /(?<=^|\n)[\w.@-]{1,64}:(?:\$(?:apr1|2[abxy]|[56])\$|\{SHA\})[\w./$+=]{20,}/g,
    judge: () => 'has the hash of a password',
  },
  rule(
    String.raw`${NAME}(?:${QUOTE})?(?:\])?[ \t]{0,40}(?:[:?+]?=|=>|:)[ \t]{0,40}${VALUE}`,
    ({ groups: { name = '', ...value } = {}, index }, kind, text) =>
      assignedBy({ name: inFull(name, text, index), ...value }, kind, () => beginningOf(text, index)),
  ),
  // As an option of a program, in a line or in a list of arguments.
  rule(
    String.raw`(?<![\w-])--(?<name>[A-Za-z][\w-]{1,63})(?![\w-])(?:=|["']?[\s\\]{0,9},?\s{0,99}(?:- )?)(?!["']?-)${VALUE}`,
    ({ groups: { name = '', quoted, bare } = {} }, kind) => assignedBy({ name, quoted: quoted ?? bare }, kind),
  ),
  // In an object that says more about it: a variable or an output of Terraform.
  rule(String.raw`\b(?:value|default)["']?[ \t]{0,40}[:=]\s{0,9}${VALUE}`, ({ groups = {}, index }, kind, text) => {
    const before = text.slice(Math.max(0, index - 300), index);
    const [, name] = /([\w-]{3,64})["']?\s{0,9}[:=]?\s{0,9}\{[^{}]*$/.exec(before) ?? [];
    const isRandom = looksRandom(groups.quoted ?? groups.bare ?? '');
    return name && isRandom ? assignedBy({ ...groups, name }, kind) : undefined;
  }),
  // As a default in code, in a table or a property list, in an element, as an argument, or on the next line.
  rule(
    String.raw`(?<![\w-])(?<name>[A-Za-z_][\w-]{2,63})(?![\w-])${BETWEEN}(?<=(?<quote>["'\x60]?)(?:${SCHEME})?)(?=(?<bare>\w[^\s"'\x60\\,;{}()[\]<>]{19,4096}))`,
    ({ 0: found, groups: { name: word = '', quote, bare = '' } = {}, index }, kind, text) => {
      if (kind === 'code' && !quote) return undefined;
      const name = inFull(word, text, index);
      const isKnown = KNOWN.has(name.toLowerCase()) || (VARIABLE.test(name) && isNamedSecret(name));
      const sureness = isKnown && (quote || !found.includes('\n')) ? 'doubtful' : 'random';
      // Names in a list aren't followed by their values.
      const isNamed = isKnown || (/[:=>]/.test(found) && (isNamedSecret(name) || SHORT.test(name)));
      return isNamed && LOOKS_REAL[sureness](bare) ? `sets ${name}` : undefined;
    },
  ),
  // As Kubernetes, Compose, CloudFormation, .NET and agents' files list variables, in either order.
  ...[
    `${LISTED_NAME}${NEXT}${LISTED_VALUE}`,
    String.raw`${LISTED_VALUE}["']?[^\s"',]{1,512}${NEXT}["']?${LISTED_NAME}`,
  ].map(source => rule(source, ({ groups = {} }, kind) => assignedBy(groups, kind))),
];

const isSetting = (kind: Kind): boolean => kind === 'data' || kind === 'env';

/** A name with the word before it, if both name a secret, such as `API key`. */
function inFull(name: string, text: string, index: number): string {
  const [before = ''] =
    /(?:public |publishable )?\b[a-z]{2,12} $/i.exec(text.slice(Math.max(0, index - 30), index)) ?? [];
  return ENDS.test(plain(before + name)) && !ENDS.test(plain(name)) ? before + name : name;
}

function assignedBy(
  { name = '', quoted, bare }: { name?: string; quoted?: string; bare?: string },
  kind: Kind,
  sectionBefore = () => '',
): string | undefined {
  const written = quoted ?? bare ?? '';
  const value = written.replace(BEFORE_VALUE, '');
  // In code, an expression isn't quoted, unless it's a header's.
  if (kind === 'code' && quoted === undefined && value === written) return undefined;
  // Keys of Google have a rule of their own.
  if (value.startsWith('AIza')) return undefined;
  const last = name.slice(name.lastIndexOf('.') + 1);
  const sureness = surenessOf(last, kind, () => sectionBefore() + name);
  if (sureness && LOOKS_REAL[sureness](value)) return `sets ${name}`;
  const mayBeOne = isPasswordName(last) || (/^secret$/i.test(last) && looksRandom(value, 10));
  return mayBeOne ? doubtAbout(value, kind) : undefined;
}

/** What is before an assignment in its section of INI, TOML, YAML or JSON, as far as it matters. */
const beginningOf = (text: string, end: number): string =>
  text
    .slice(Math.max(0, end - 300), end)
    .split(/\n(?=\[|[\w-]+:\s*\n)|\n\s*\n|\}/)
    .at(-1) ?? '';

/** Whether a name is that of a key, and not of an account or the like. */
const isSecretName = (name: string): boolean => isSecret(name) && !/ID$/i.test(name);

/** The catalog's variables with keys, in small letters, as Terraform's are. */
const KNOWN = new Set(
  providerVariables()
    .filter(isSecretName)
    .map(name => name.toLowerCase()),
);

/** The services with these, such as `deepgram`. */
const SERVICES = `(?:${unique([...KNOWN].map(name => name.split('_')[0])).join('|')})`;
const SERVICE = new RegExp(`(?<![a-z])${SERVICES}(?![a-z])`, 'i');

/** What other names of secrets end with, without capitals and separators. */
const ENDS =
  /(?:api|secret|access|private|signing|encryption|master|account|auth|subscription|role|admin|client|server|hmac|aes|fernet)key$|secretkeybase$|(?:api|access|auth|refresh|id|oauth|bearer|session|bot)token$|(?:client|api|app|auth|jwt|token)secret$|secretaccesskey$|password$|passwd$|authorization$|^auth$/;

const plain = (name: string): string => name.toLowerCase().replace(/[-_ ]/g, '');

/** Names that say little: only a random value makes them those of secrets. */
const SHORT = new RegExp(`^token$|(?:^|[_-])(?:secret|api)$|^${SERVICES}$`, 'i');

const VARIABLE = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;

const PUBLIC = /public|publishable/i;

/** Whether a name is that of a password: `SMTP_PASS` and `dbPwd`, but not `bypass`. */
const isPasswordName = (name: string): boolean =>
  /(?:pass(?:word|wort|wd|phrase|code)|kennwort|contrase(?:n|ñ)a|mot_de_passe)$|(?:^|(?<!by)[^A-Za-z])(?:pass|pwd)$/i.test(
    name.replace(/(?<=[a-z])(?=[A-Z])/g, '_'),
  );

const isNamedSecret = (name: string): boolean => !PUBLIC.test(name) && (ENDS.test(plain(name)) || isPasswordName(name));

/** How sure it is that a variable has a secret, unless its value is a placeholder. */
function surenessOf(name: string, kind: Kind, sectionOf: () => string): keyof typeof LOOKS_REAL | undefined {
  if (PUBLIC.test(name)) return undefined;
  const isNamed = isNamedSecret(name);
  const least = SHORT.test(name) ? 'random' : undefined;
  if (!isSetting(kind)) return isNamed || isSecretName(name) ? 'doubtful' : least;
  if (kind === 'env') return isNamed || isSecretName(name) ? 'certain' : least;
  if (KNOWN.has(name.toLowerCase())) return 'likely';
  const isVariable = VARIABLE.test(name);
  if (isVariable && ENDS.test(plain(name))) return 'possible';
  if (isPasswordName(name)) return 'password';
  const isOfService = isSecretName(name.replace(/-|(?<=[a-z])(?=[A-Z])/g, '_')) && SERVICE.test(sectionOf());
  if (isNamed || isOfService || (isVariable && isSecretName(name))) return 'doubtful';
  return least;
}

/** A reference to a value that is elsewhere, a name, or what is encrypted, such as in a SealedSecret of Kubernetes. */
const REFERENCE =
  /^(?:[$%<{[@!&*/~]|\.{1,2}\/|\w[\w+.-]{0,30}:\/|(?:op|vault|env|file|sops|keyvault|doppler|infisical|bws|(?:aws|gcp|az)?(?:ssm|sm|kms|kv)|secretsmanager):|env\.|ref\+|ENC|Ag[A-D][\w+/]{600}|arn:|projects\/|secrets?[./:]|(?:var|local|data|module|process|os|self|config|settings)\.|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|[A-Za-z_]+(?:\.[A-Za-z_]+)+$|.*\.(?:json|pem|p12|p8|key|crt|txt|ya?ml|toml)$)/;

/** Words that no key has, unless by chance. */
const PLACEHOLDER =
  /(?:^|[^A-Za-z])(?:your|tests?|testing|fake|dummy|examples?|sample|placeholder|mock|change[-_ ]?me|replace|insert|enter|paste|todo|here|redacted|none|null|undefined|foo|bar|demo|ollama|no[-_ ]?key|not[-_ ]?(?:a|needed|used|required))(?:$|[^A-Za-z])|^(?:my|put|add)[-_ ]|\.\.\.|…|[xX]{4}|[*]{3}|(?<same>.)\k<same>{11}/i;

/** Whether a token is one that people write as an example. */
const isMadeUp = (token: string): boolean =>
  /EXAMPLE|[xX]{6}|[-_]your[-_]|\.\.\./.test(token) ||
  /(?<same>[0Xx*#._-])\k<same>{7}|123456789|abcdefghi|deadbeef/i.test(token);

const isValue = (value: string): boolean =>
  !/\s/.test(value) && !REFERENCE.test(value) && !isMadeUp(value) && (!PLACEHOLDER.test(value) || hasLongRun(value));

/** What a value has to look like: the less the name says, the more. */
const LOOKS_REAL = {
  certain: (value: string) => value.length >= 8 && isValue(value),
  likely: (value: string) => value.length >= 12 && isValue(value),
  possible: (value: string) => value.length >= 12 && isMixed(value) && isValue(value),
  password: (value: string) => value.length >= 12 && isPassword(value),
  // Neither a word nor a sentence.
  doubtful: (value: string) =>
    value.length >= (looksRandom(value) ? 16 : 20) && isMixed(value) && new Set(value).size >= 8 && isValue(value),
  random: (value: string) => value.length >= 20 && looksRandom(value) && isValue(value),
};

/** Whether a value is a password that somebody uses: not a word, and none that says what it is. */
const isPassword = (value: string): boolean =>
  mayBePassword(value) && (!PASSWORD_WORD.test(value) || hasLongRun(value));

const PASSWORD_WORD = /p[a@4]ss|s[e3]cr[e3]t/i;

/** Three bytes beyond ASCII are a letter of a language without spaces. */
const mayBePassword = (value: string): boolean => isValue(value) && isMixed(value) && !/[\x80-\uffff]{3}/.test(value);

/** The word itself, or how passwords are stored. */
const NO_PASSWORD =
  /^(?:p[a@4]ssw?(?:[o0]?r)?[dt]?|s[e3]cr[e3]t)[-_]?\d{0,3}!?$|^(?:hmac-?)?(?:sha|md|base|oauth|utf|argon|pbkdf)[-_]?\d[\w-]{0,6}$/i;

/** Whether a value that is called a password, and is too short or too plain for certainty, may be one. */
function doubtAbout(value: string, kind: Kind): string | undefined {
  const isName = PASSWORD_WORD.test(value) && /^[a-z\d]+(?:[-_.:][a-z\d]+)+$/.test(value);
  if (!isSetting(kind) || value.length < 6 || value.length > 128 || isName) return undefined;
  return mayBePassword(value) && !NO_PASSWORD.test(value) ? DOUBTFUL : undefined;
}

/** Whether others reach a host: it has a domain, and that isn't an example's. */
const isRemote = (host: string): boolean =>
  host === '*' || (host.includes('.') && !isLocalAddress(host) && !PLACEHOLDER.test(host));

/** Whether a host may be a server of a network that the bot is in later. */
const isPrivate = (host: string): boolean => /^(?:10|172|192\.168)\.|^[\w-]{3,}$/.test(host) && host !== 'localhost';

const hasLongRun = (value: string, length = 24): boolean =>
  value.split(/[^A-Za-z0-9]/).some(run => run.length >= length && /\d/.test(run) && new Set(run).size >= 8);

/** Whether capitals are where no language has them, alone and in a row, as in `GTNpYtdZGpcS`. */
function isScrambled(value: string): boolean {
  const count = (pattern: RegExp) => value.match(pattern)?.length ?? 0;
  const length = Math.max(1, value.length);
  return count(/[a-z](?=[A-Z])/g) >= length / 6 && count(/[A-Z](?=[A-Z])/g) >= length / 10;
}

const isMixed = (value: string): boolean => /[A-Za-z]/.test(value) && (/\d/.test(value) || isScrambled(value));

/** Whether a value is neither words nor a UUID. A text without a name must show more (`isRandom` in text.ts). */
const looksRandom = (value: string, length = 16): boolean =>
  (hasLongRun(value, length) && /\d[A-Za-z]+\d/.test(value)) ||
  (value.length >= length && isScrambled(value.replace(/[-_]/g, '')));

/** The text of a file. Of a binary one, the first bytes in hexadecimal, for its format, and what can be printed. */
function decode(contents: Buffer): string | { printable: string } {
  const start = contents.toString('latin1', 0, HEAD);
  const isBigEndian = /^(?:\xfe\xff|(?:\0[^\0]){4})/.test(start);
  if (isBigEndian) contents.subarray(0, contents.length & ~1).swap16();
  if (isBigEndian || /^(?:\xff\xfe|(?:[^\0]\0){4})/.test(start)) return contents.toString('utf16le');
  const text = contents.toString('latin1');
  if (!start.includes('\0')) return text;
  return { printable: `${contents.toString('hex', 0, 12)} ${text.replace(/[^\t\n\r -~]+/g, ' ')}` };
}
