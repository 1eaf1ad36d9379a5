import assert from 'node:assert/strict';
import { mergeRows, readCases } from './merging.ts';

const FROM = 'from p.services.a import Alpha/';
const NEWS = 'from p.services.b import Beta/';

/** What the user has, what both come from, what botcli writes, and the merge. */
const cases = readCases(`
botcli gives a function a variable that hides one of the user
  line = 1/def f(a):/    a()/    print(line) <-- def f(a):/    a()
  --> def f(a):/    line = 2/    a() ==> conflict: "line" means something else in f.
botcli makes a variable one of the function
  line = 1/def f():/    a()/    print(line) <-- line = 1/def f():/    a()
  --> def f():/    line = 2/    a() ==> conflict: This goes with another conflict: both are about "line". "line" means something else in f.
the user has given an inner function a variable that its lines use, and so does a new one
  def f():/    x = 1/    def g():/        x = 2/        a()/        print(x)
  <-- def f():/    x = 1/    def g():/        a()/        print(x)
  --> def f():/    x = 1/    def g():/        a()/        print(x)/        more(x)
  ==> def f():/    x = 1/    def g():/        x = 2/        a()/        print(x)/        more(x)
the user has given an inner function a variable that only the new line uses
  def f():/    x = 1/    def g():/        x = 2/        a() <-- def f():/    x = 1/    def g():/        a()
  --> def f():/    x = 1/    def g():/        a()/        more(x) ==> conflict: "x" means something else in f.g.
the user has moved a value below the place where botcli uses it
  a()/b()/x = 1/c()/x = 2/d() <-- x = 1/a()/b()/c()/x = 2/d()
  --> x = 1/a()/use(x)/b()/c()/x = 2/d() ==> conflict: "x" is used before your file defines it.
the user has moved what botcli uses to a function
  def f():/    x = 1/    a()/b()/c() <-- x = 1/def f():/    a()/b()/c()
  --> x = 1/def f():/    a()/b()/use(x)/c() ==> conflict: botcli's change uses "x", which isn't defined in your file.
botcli uses in a function what the user has moved below it
  def f():/    a()/x = 1/f() <-- x = 1/def f():/    a()/f() --> x = 1/def f():/    use(x)/    a()/f() ==> def f():/    use(x)/    a()/x = 1/f()
botcli no longer uses values, a class and an inner function of the user
  x = 1/class C:/    pass/def f():/    y = 1/    def g():/        pass/    b()/    a(x, y, C, g)/f()
  <-- def f():/    b()/    a(x, y, C, g)/f() --> def f():/    b()/f()
  ==> x = 1/class C:/    pass/def f():/    y = 1/    def g():/        pass/    b()/f()
a function of the user has the name of a variable that goes
  def f():/    line = 1/    a(line)/    b()/f()/def line():/    pass <-- def f():/    line = 1/    a(line)/    b()/f()
  --> def f():/    b()/f() ==> def f():/    b()/f()/def line():/    pass
the user sets up a class of a service that botcli replaces
  ${FROM}llm = Alpha()/a()/    Alpha.limit = 3 <-- ${FROM}llm = Alpha()/a()
  --> ${NEWS}llm = Beta()/a() ==> conflict: Your line "Alpha.limit = 3" is for Alpha, which botcli's change replaces.
the user has an object of that class as well
  ${FROM}llm = Alpha()/a()/Alpha.limit = 3/mine = Alpha() <-- ${FROM}llm = Alpha()/a()
  --> ${NEWS}llm = Beta()/a() ==> ${FROM}${NEWS}llm = Beta()/a()/Alpha.limit = 3/mine = Alpha()
the class is that of no service
  from p.tools.a import Alpha/llm = Alpha()/a()/Alpha.limit = 3 <-- from p.tools.a import Alpha/llm = Alpha()/a()
  --> ${NEWS}llm = Beta()/a() ==> ${NEWS}from p.tools.a import Alpha/llm = Beta()/a()/Alpha.limit = 3
`);

describe('checking the names of a merge when', () => {
  for (const [about, user, base, botcli, merged] of cases) {
    it(about, () => assert.equal(mergeRows('bot.py', user, base, botcli), merged));
  }
});
