import assert from 'node:assert/strict';
import { type Case, mergeRows, readCases } from './merging.ts';

/** A call with an argument on each line. */
const call = (...rows: string[]): string => ['run(', ...rows.map(row => `    ${row}`), ')'].join('/');

const SPLIT = "conflict: With botcli's change, the items in these brackets would no longer be separate.";
const SAME = 'conflict: Your file and botcli\'s change pass "x" to the same call.';

/** What the user has, what both come from and what botcli has, and the merge. */
const cases: Case[] = [
  ...readCases(`
each side passes an argument, a line apart
  run(/    a,/    x=1,/    b,/    c,/) <-- run(/    a,/    b,/    c,/)
  --> run(/    a,/    b,/    x=2,/    c,/) ==> ${SAME}
each side passes an argument, to different calls
  run(/    a,/    go(x=1),/    b,/    c,/) <-- run(/    a,/    b,/    c,/)
  --> run(/    a,/    b,/    x=2,/    c,/) ==> run(/    a,/    go(x=1),/    b,/    x=2,/    c,/)
the user passes an argument twice
  run(/    a,/    x=1,/    b,/    x=2,/) <-- run(/    a,/    b,/)
  --> run(/    c,/    a,/    b,/) ==> run(/    c,/    a,/    x=1,/    b,/    x=2,/)
each side passes the same values
  run(/    x,/    "y",/    z == 1,/    a,/    b,/)
  <-- run(/    a,/    b,/) --> run(/    a,/    b,/    x,/    "y",/    z == 1,/)
  ==> run(/    x,/    "y",/    z == 1,/    a,/    b,/    x,/    "y",/    z == 1,/)
each side has a key, in other quotes
  run = {/    'x': 1,/    a: 1,/    b: 2,/}
  <-- run = {/    a: 1,/    b: 2,/} --> run = {/    a: 1,/    b: 2,/    "x": 3,/}
  ==> conflict: Your file and botcli's change have "x" in the same dictionary.
the last item has no comma
  run(/    b  /    # end/) <-- run(/    a,/    # end/) --> run(/    a,/    # end/    x,/) ==> ${SPLIT}
the last item is a text over lines with code
  run(/    f"""{b}/    c"""/    # end/) <-- run(/    a,/    # end/)
  --> run(/    a,/    # end/    **x,/) ==> ${SPLIT}
the last item of botcli has no comma
  run(/    a,/    b,/    c/) <-- run(/    a,/    b,/) --> run(/    a,/    b,/    x/) ==> ${SPLIT}
the last item is a text, and so is that of botcli
  run(/    "b"/    # end/) <-- run(/    a,/    # end/) --> run(/    a,/    # end/    "x",/) ==> ${SPLIT}
each side adds a part of a text
  run(/    "a"/    "b"/    "mine"/) <-- run(/    "a"/    "b"/)
  --> run(/    "a"/    "b"/    "x"/) ==> run(/    "a"/    "b"/    "x"/    "mine"/)
each side changes the parts of a text, with code at the end of one
  run(/    f"{b}"/    "c"/) <-- run(/    "a"/    "c"/)
  --> run(/    "a"/    "x"/    "c"/) ==> run(/    f"{b}"/    "x"/    "c"/)
each side changes the parts of a text among arguments, with code at the end of one
  run(/    f"{b}"/    "c",/    d,/) <-- run(/    "a"/    "c",/    d,/)
  --> run(/    "a"/    "x"/    "c",/    d,/) ==> run(/    f"{b}"/    "x"/    "c",/    d,/)
an item of the user goes over lines
  run(/    a/    + b,/    c,/) <-- run(/    a,/    c,/)
  --> run(/    a,/    c,/    x,/) ==> run(/    a/    + b,/    c,/    x,/)
an item of botcli goes over lines
  run(/    a,/    c,/    d,/) <-- run(/    a,/    c,/)
  --> run(/    x/    + y,/    c,/) ==> run(/    x/    + y,/    c,/    d,/)
the items are lines without brackets
  x = 1 + \\/    5 + \\/    2 <-- x = 1 + \\/    2
  --> x = 1 + \\/    2 + \\/    3 ==> x = 1 + \\/    5 + \\/    2 + \\/    3
brackets of the user's don't match
  run(a)), b/${call('a,')} <-- run(/    a,/) --> run(/    a,/    b,/) ==> run(a)), b/${call('a,', 'b,')}
the user's settings go to another call
  x = a.run(/    b,/    mine,/) <-- x = a.run(/    b,/)
  --> x = cat.go(/    b,/) ==> conflict: You gave these settings to a.run.
the user gives another argument to a call that becomes another
  x = run(/    c=2,/) <-- x = run(/    b=1,/) --> x = go(/    b=1,/) ==> conflict: You gave these settings to run.
botcli gives another value to an argument of a call that the user made another
  x = go(/    b=1,/) <-- x = run(/    b=1,/)
  --> x = run(/    b=2,/) ==> conflict: botcli's change gives settings to run, which your file has replaced.
the user's items go to a call
  x = [/    a,/    mine,/] <-- x = [/    a,/]
  --> x = run(/    a,/)
  ==> conflict: You gave these settings to something else. This goes with another conflict.
botcli's items go to a call of the user's
  x = run(/    a,/)
  <-- x = [/    a,/] --> x = [/    a,/    ours,/]
  ==> conflict: botcli's change gives settings to something else, which your file has replaced.
`),
];

describe('merging items between brackets when', () => {
  for (const [about, user, base, botcli, merged] of cases) {
    it(about, () => assert.equal(mergeRows('bot.py', user, base, botcli), merged));
  }
});
