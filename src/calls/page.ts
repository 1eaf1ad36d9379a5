import type { PriceRow } from '../catalog/prices.ts';
import { capitalize } from '../text.ts';
import { type Call, type Part, sumOf, type Turn } from './call.ts';
import {
  answerOf,
  causeOf,
  describePart,
  howItEnded,
  isShort,
  reachedBy,
  STOPS,
  short,
  summaryLines,
  timeOf,
  toolText,
  toolTime,
  wordsOf,
} from './explain.ts';

/** A call as one page of HTML, which asks for nothing from anywhere. A recording next to it is played from the disk. */
export function pageOf(call: Call, prices: readonly PriceRow[], recording: string | undefined): string {
  const longest = Math.max(0.1, ...call.turns.map(({ parts, seconds = sumOf(parts) }) => seconds));
  const title = `${reachedBy(call)}, ${howItEnded(call)}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; media-src 'self' file:">
<title>${html(call.name)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${html(capitalize(title))}</h1>
<p>${html(`${call.start.toISOString().replace('T', ' ').slice(0, 19)} UTC, ${short(call.seconds)}`)}</p>
${recording === undefined ? '' : `<audio controls preload="none" src="${html(recording)}" aria-label="The recording"></audio>\n`}<ul>
${summaryLines(call, prices)
  .map(line => `<li>${html(line)}</li>`)
  .join('\n')}
</ul>
<ol>
${call.turns.map((turn, at) => turnOf(turn, at, call, longest)).join('\n')}
</ol>
${call.end ? '' : `<p>${STOPS}</p>\n`}</main>
</body>
</html>
`;
}

function turnOf(turn: Turn, at: number, call: Call, longest: number): string {
  const { parts, tools } = turn;
  const words = wordsOf(turn);
  const cause = causeOf(turn, at, call);
  const facts = [...tools.map(tool => `${toolText(tool)}: ${toolTime(tool)}`), ...(cause ? [`Longest: ${cause}`] : [])];
  // Its number is what the summary says, and what `calls pin` takes.
  return `<li>
${words === undefined ? '' : `<p><b>${at + 1} you</b> ${html(words)}</p>\n`}<p><b>${words === undefined ? `${at + 1} ` : ''}bot</b> ${html(answerOf(turn, call))} <span>${timeOf(turn)}</span></p>
${timelineOf(parts, longest)}${facts.map(fact => `<p class="fact">${html(fact)}</p>`).join('\n')}
</li>`;
}

/** The parts of an answer as bars, one after the other, each with its name and time in words. */
function timelineOf(parts: readonly Part[], longest: number): string {
  let start = 0;
  const bars = parts.flatMap(part => {
    const place = `margin-left:${percent(start, longest)};width:max(2px,${percent(part.seconds, longest)})`;
    start += part.seconds;
    return isShort(part) ? [] : `<dt>${html(describePart(part))}</dt><dd class="${part.owner}" style="${place}"></dd>`;
  });
  return bars.length === 0 ? '' : `<dl>${bars.join('\n')}</dl>\n`;
}

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)}%`;

const html = (text: string): string =>
  text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`).replace(/\p{Cc}/gu, ' ');

const STYLE = `
:root { color-scheme: light dark; --text: #1b1f24; --quiet: #57606a; --page: #fff; --line: #d0d7de;
  --service: #0969da; --setting: #9a6700; --code: #cf222e; --framework: #6e7781 }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --quiet: #9da7b1; --page: #0d1117; --line: #30363d;
  --service: #58a6ff; --setting: #d29922; --code: #ff7b72; --framework: #8b949e } }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif }
main { max-width: 46rem; margin: 0 auto; padding: 1rem }
h1 { font-size: 1.3rem; margin: 0 } audio { width: 100% } p { margin: .2rem 0; overflow-wrap: anywhere }
ul, ol { padding: 0; list-style: none } ol > li { border-top: 1px solid var(--line); padding: .6rem 0 }
b { color: var(--quiet); font-weight: 600 } span, .fact, dt { color: var(--quiet); font-size: .875rem }
dl { margin: .4rem 0 } dd { height: .5rem; margin: 0 0 .3rem; border-radius: 2px }
.service { background: var(--service) } .setting { background: var(--setting) }
.code { background: var(--code) } .framework { background: var(--framework) }
@media (forced-colors: active) { dd[class] { background: CanvasText } }
`;
