import { testMerges } from './merging.ts';

const FROM = 'from p.services.a import Alpha/';
const NEWS = 'from p.services.b import Beta/';

testMerges('merging Python with names, when', 'bot.py')`
the user uses what botcli removes
  LIMIT = 3/a()/print(LIMIT) <-- LIMIT = 3/a() --> a()
  ==> conflict: Your lines use "LIMIT", which botcli's change removes.
botcli gives a function a variable that hides one of the user
  line = 1/def f(a):/    a()/    print(line) <-- def f(a):/    a() --> def f(a):/    line = 2/    a()
  ==> conflict: With botcli's change, "line" would mean something else.
botcli makes a variable one of the function
  line = 1/def f():/    a()/    print(line) <-- line = 1/def f():/    a() --> def f():/    line = 2/    a()
  ==> conflict: With botcli's change, "line" would mean something else. With botcli's change, "line" would mean something else.
the user has given an inner function a variable that its lines use, and so does a new one
  def f():/    x = 1/    def g():/        x = 2/        a()/        print(x)
  <-- def f():/    x = 1/    def g():/        a()/        print(x)
  --> def f():/    x = 1/    def g():/        a()/        print(x)/        more(x)
  ==> conflict: With botcli's change, "x" would mean something else.
the user has given an inner function a variable that only the new line uses
  def f():/    x = 1/    def g():/        x = 2/        a() <-- def f():/    x = 1/    def g():/        a()
  --> def f():/    x = 1/    def g():/        a()/        more(x)
  ==> conflict: With botcli's change, "x" would mean something else.
the user has moved a value below the place where botcli uses it
  a()/b()/x = 1/c()/x = 2/d() <-- x = 1/a()/b()/c()/x = 2/d() --> x = 1/a()/use(x)/b()/c()/x = 2/d()
  ==> conflict: With botcli's change, "x" would be used before it is defined.
the user has removed what botcli uses
  a()/b() <-- x = 1/a()/b() --> x = 1/a()/use(x)/b()
  ==> conflict: botcli's change uses "x", which your file doesn't define any more.
the user has moved what botcli uses to a function
  def f():/    x = 1/    a()/b()/c() <-- x = 1/def f():/    a()/b()/c() --> x = 1/def f():/    a()/b()/use(x)/c()
  ==> conflict: With botcli's change, "x" would be used outside of the block that defines it.
botcli uses in a function what the user has moved below it
  def f():/    a()/x = 1/f() <-- x = 1/def f():/    a()/f() --> x = 1/def f():/    use(x)/    a()/f()
  ==> def f():/    use(x)/    a()/x = 1/f()
both define a name
  a()/b()/port = 1 <-- a()/b() --> port = take()/a()/b()
  ==> conflict: Your file already defines "port", and so does botcli's change.
the user imports a name that botcli defines
  import os/from mine import take/a(os)/take() <-- import os/a(os) --> import os/def take():/    pass/a(os)
  ==> conflict: Your file already defines "take", and so does botcli's change.
botcli no longer uses an import that the user has in a function
  def f():/    from m import Alpha/    Alpha()/    a() <-- def f():/    Alpha()/    a() --> def f():/    a()
  ==> conflict: Nothing would use your import of "Alpha" any more.
botcli no longer uses an import of the user at the top
  import os/from mine import load/load()/a(os) <-- import os/from base import load/load()/a(os) --> import os/a(os)
  ==> conflict: Nothing would use your import of "load" any more.
botcli no longer uses a function that the user has moved
  a()/b()/c()/def load():/    pass/load()/d() <-- def load():/    pass/a()/b()/c()/load()/d() --> a()/b()/c()/d()
  ==> conflict: You moved these lines, and botcli removes them.
botcli no longer uses values, a class and an inner function of the user
  x = 1/class C:/    pass/def f():/    y = 1/    def g():/        pass/    b()/    a(x, y, C, g)/f()
  <-- def f():/    b()/    a(x, y, C, g)/f() --> def f():/    b()/f()
  ==> x = 1/class C:/    pass/def f():/    y = 1/    def g():/        pass/    b()/f()
a function of the user has the name of a variable that goes
  def f():/    line = 1/    a(line)/    b()/f()/def line():/    pass <-- def f():/    line = 1/    a(line)/    b()/f()
  --> def f():/    b()/f() ==> def f():/    b()/f()/def line():/    pass
the user has added a parameter of a name that botcli defines
  def f(x):/    a()/    b(x) <-- def f():/    a()/    b() --> def f():/    x = 1/    a()/    b(x)
  ==> conflict: Your file already defines "x", and so does botcli's change.
the user's class has a variable of a name that botcli uses in a method, which doesn't see it
  x = 1/class C:/    x = 2/    def f(self):/        a() <-- x = 1/class C:/    def f(self):/        a()
  --> x = 1/class C:/    def f(self):/        a()/        b(x)
  ==> x = 1/class C:/    x = 2/    def f(self):/        a()/        b(x)
the user sets up a class of a service that botcli replaces
  ${FROM}llm = Alpha()/a()/    Alpha.limit = 3 <-- ${FROM}llm = Alpha()/a() --> ${NEWS}llm = Beta()/a()
  ==> conflict: Your line "Alpha.limit = 3" is for Alpha, which botcli's change replaces.
the user has an object of that class as well
  ${FROM}llm = Alpha()/a()/Alpha.limit = 3/mine = Alpha() <-- ${FROM}llm = Alpha()/a() --> ${NEWS}llm = Beta()/a()
  ==> ${FROM}${NEWS}llm = Beta()/a()/Alpha.limit = 3/mine = Alpha()
the class is that of no service
  from p.tools.a import Alpha/llm = Alpha()/a()/Alpha.limit = 3 <-- from p.tools.a import Alpha/llm = Alpha()/a()
  --> ${NEWS}llm = Beta()/a() ==> from p.tools.a import Alpha/${NEWS}llm = Beta()/a()/Alpha.limit = 3
`;
