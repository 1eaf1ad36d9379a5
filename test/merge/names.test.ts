import assert from 'node:assert/strict';
import { mergeLines, type Versions } from '../../src/merge/lines.ts';
import { readDraft, readLines } from '../../src/merge/python/draft.ts';
import { settleImports } from '../../src/merge/python/imports.ts';
import { checkNames } from '../../src/merge/python/names.ts';
import { readCases } from './merging.ts';

/** What is wrong with the names of a merge by lines: the line of the merge, counted from 0, and the reason. */
function faultsIn(user: string, base: string, botcli: string): string[] {
  const original = { user: user.split('/'), base: base.split('/'), botcli: botcli.split('/') };
  const { versions } = settleImports(original, new Set());
  const read = (texts: Versions<readonly string[]>) => ({
    user: readLines(texts.user),
    base: readLines(texts.base),
    botcli: readLines(texts.botcli),
  });
  const draft = readDraft(mergeLines(versions) ?? [], read(versions));
  return checkNames(draft, read(original)).map(({ line, name, reason }) => `${line} ${name}: ${reason}`);
}

const FROM = 'from p.services.a import Alpha/';
const NEWS = 'from p.services.b import Beta/';

/** What the user has, what both come from, what botcli writes, and the faults of the merge. */
const cases = readCases(`
the user uses what botcli removes
  LIMIT = 3/a()/print(LIMIT) <-- LIMIT = 3/a()
  --> a() ==> 1 LIMIT: Your lines use "LIMIT", which botcli's change removes.
botcli gives a function a variable that hides one of the user
  line = 1/def f(a):/    a()/    print(line) <-- def f(a):/    a()
  --> def f(a):/    line = 2/    a() ==> 4 line: "line" means something else in f.
botcli makes a variable one of the function
  line = 1/def f():/    a()/    print(line) <-- line = 1/def f():/    a()
  --> def f():/    line = 2/    a() ==> 3 line: "line" means something else in f.
the user has given an inner function a variable that its lines use, and so does a new one
  def f():/    x = 1/    def g():/        x = 2/        a()/        print(x)
  <-- def f():/    x = 1/    def g():/        a()/        print(x)
  --> def f():/    x = 1/    def g():/        a()/        print(x)/        more(x)
  ==> (empty)
the user has given an inner function a variable that only the new line uses
  def f():/    x = 1/    def g():/        x = 2/        a() <-- def f():/    x = 1/    def g():/        a()
  --> def f():/    x = 1/    def g():/        a()/        more(x) ==> 5 x: "x" means something else in f.g.
the user has moved a value below the place where botcli uses it
  a()/b()/x = 1/c()/x = 2/d() <-- x = 1/a()/b()/c()/x = 2/d()
  --> x = 1/a()/use(x)/b()/c()/x = 2/d() ==> 1 x: "x" is used before your file defines it.
the user has removed what botcli uses
  a()/b() <-- x = 1/a()/b()
  --> x = 1/a()/use(x)/b() ==> 1 x: botcli's change uses "x", which your file doesn't define any more.
the user has moved what botcli uses to a function
  def f():/    x = 1/    a()/b()/c() <-- x = 1/def f():/    a()/b()/c()
  --> x = 1/def f():/    a()/b()/use(x)/c() ==> 4 x: botcli's change uses "x", which isn't defined in your file.
botcli uses in a function what the user has moved below it
  def f():/    a()/x = 1/f() <-- x = 1/def f():/    a()/f() --> x = 1/def f():/    use(x)/    a()/f() ==> (empty)
both define a name
  a()/b()/port = 1 <-- a()/b()
  --> port = take()/a()/b() ==> 0 port: Your file already defines "port", and so does botcli's change.
the user imports a name that botcli defines
  import os/from mine import take/a(os)/take()
  <-- import os/a(os) --> import os/def take():/    pass/a(os)
  ==> 1 take: Your file and botcli's change each give "take" a meaning, and one is an import.
botcli no longer uses an import that the user has in a function
  def f():/    from m import Alpha/    Alpha()/    a() <-- def f():/    Alpha()/    a()
  --> def f():/    a() ==> 1 Alpha: Nothing would use your import of "Alpha" any more.
botcli no longer uses an import of the user at the top
  import os/from mine import load/load()/a(os) <-- import os/from base import load/load()/a(os)
  --> import os/a(os) ==> 1 load: Nothing would use your import of "load" any more.
botcli no longer uses a function that the user has moved
  a()/b()/c()/def load():/    pass/load()/d() <-- def load():/    pass/a()/b()/c()/load()/d()
  --> a()/b()/c()/d() ==> 3 load: Nothing would use your "load" any more.
botcli no longer uses values, a class and an inner function of the user
  x = 1/class C:/    pass/def f():/    y = 1/    def g():/        pass/    b()/    a(x, y, C, g)/f()
  <-- def f():/    b()/    a(x, y, C, g)/f() --> def f():/    b()/f()
  ==> (empty)
a function of the user has the name of a variable that goes
  def f():/    line = 1/    a(line)/    b()/f()/def line():/    pass <-- def f():/    line = 1/    a(line)/    b()/f()
  --> def f():/    b()/f() ==> (empty)
the user sets up a class of a service that botcli replaces
  ${FROM}llm = Alpha()/a()/    Alpha.limit = 3 <-- ${FROM}llm = Alpha()/a()
  --> ${NEWS}llm = Beta()/a() ==> 4 Alpha: Your line "Alpha.limit = 3" is for Alpha, which botcli's change replaces.
the user has an object of that class as well
  ${FROM}llm = Alpha()/a()/Alpha.limit = 3/mine = Alpha() <-- ${FROM}llm = Alpha()/a()
  --> ${NEWS}llm = Beta()/a() ==> (empty)
the class is that of no service
  from p.tools.a import Alpha/llm = Alpha()/a()/Alpha.limit = 3 <-- from p.tools.a import Alpha/llm = Alpha()/a()
  --> ${NEWS}llm = Beta()/a() ==> (empty)
`);

describe('checking the names of a merge when', () => {
  for (const [about, user, base, botcli, fault] of cases) {
    it(about, () => assert.deepEqual(faultsIn(user, base, botcli), fault ? [fault] : []));
  }
});
