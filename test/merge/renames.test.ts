import { testMerges } from './merging.ts';

testMerges('following new names and places in Python when', 'bot.py')`
the user renamed a variable, and ours uses it
  brain = A()/w = W(brain) <-- llm = A()/w = W(llm) --> llm = A()/g = G(llm, c=1)/w = W(llm)
  ==> brain = A()/g = G(brain, c=1)/w = W(brain)
the user renamed two variables, and ours uses both, and an argument of that name
  history = C()/brain = A()/run(brain, c=history) <-- c = C()/llm = A()/run(llm, c=c)
  --> c = C()/llm = A()/G(llm, c=c)/run(llm, c=c) ==> history = C()/brain = A()/G(brain, c=history)/run(brain, c=history)
the user renamed it and changed its value
  brain = A(k=1, retries=2)/w = W(brain) <-- llm = A(k=1)/w = W(llm) --> llm = A(k=1)/g = G(llm)/w = W(llm)
  ==> brain = A(k=1, retries=2)/g = G(brain)/w = W(brain)
ours replaces the value of what the user renamed
  brain = A(k=1)/w = W(brain) <-- llm = A(k=1)/w = W(llm) --> llm = B(k=2)/w = W(llm) ==> brain = B(k=2)/w = W(brain)
the user renamed a function and a constant
  MOST = 3/def fetch(a):/    b(a, MOST)/fetch(1) <-- LIMIT = 3/def load(a):/    b(a, LIMIT)/load(1)
  --> LIMIT = 4/def load(a):/    b(a, LIMIT)/load(2)/load(1) ==> MOST = 4/def fetch(a):/    b(a, MOST)/fetch(2)/fetch(1)
ours uses it in an f-string, and a parameter of that name somewhere else
  def run():/    t = W()/    @t.on/    async def end(w):/        print(f"{w}")/    t.run()
  <-- def run():/    w = W()/    @w.on/    async def end(w):/        print(f"{w}")/    w.run()
  --> def run():/    w = W()/    @w.on/    async def end(w):/        print(f"{w}")/    print(f"{w}")/    w.run()
  ==> def run():/    t = W()/    @t.on/    async def end(w):/        print(f"{w}")/    print(f"{t}")/    t.run()
the user replaced a variable by another one
  brain = Mine()/b()/w = W([brain]) <-- llm = A(k=1)/b()/w = W([llm]) --> llm = A(k=1)/b()/g = G(llm)/w = W([llm])
  ==> conflict: botcli's change uses "llm", which your file doesn't define any more.
the user took a name that ours has, too
  g = A()/b()/w = W(g) <-- llm = A()/b()/w = W(llm) --> llm = A()/b()/g = G(llm)/w = W(llm)
  ==> conflict: Your file already defines "g", and so does botcli's change.
the user replaced a function by another one of its form
  def mine(c):/    print(c)/    return 1/b()/c()/mine(1) <-- def load(c):/    """L."""/    return f(c)/b()/c()/load(1)
  --> def load(c):/    """L."""/    return f(c)/b()/load(2)/c()/load(1)
  ==> conflict: botcli's change uses "load", which your file doesn't define any more.
the user moved a function, and ours changes it
  def run():/    b(1)/    c()/def load(a):/    """L."""/    return f(a)/def bot():/    run()
  <-- def load(a):/    """L."""/    return f(a)/def run():/    b(1)/    c()/def bot():/    run()
  --> def load(a):/    """L."""/    return f(self)/def run():/    b(1)/    c()/def bot():/    run()
  ==> def run():/    b(1)/    c()/def load(a):/    """L."""/    return f(self)/def bot():/    run()
the user moved a function, and ours removes it
  def run():/    b(load)/    c()/def load(a):/    """L."""/    return f(a)/def bot():/    run()
  <-- def load(a):/    """L."""/    return f(a)/def run():/    b(load)/    c()/def bot():/    run()
  --> def run():/    b(1)/    c()/def bot():/    run() ==> conflict: You moved these lines, and botcli removes them.
`;

testMerges('merging Python in which the user has renamed', 'bot.py')`
a variable that a line uses twice
  n2 = f()/n2 += 1/g(n2, n2) <-- n = f()/n += 1/g(n, n) --> n = f()/n += 1/g(n, n)/h(n, n, n)
  ==> n2 = f()/n2 += 1/g(n2, n2)/h(n2, n2, n2)
two variables of one assignment
  x, y = f()/g(x)/h(y) <-- a, b = f()/g(a)/h(b) --> a, b = f()/i(b, a) ==> x, y = f()/i(y, x)
a variable, and its value
  brain = Alpha(2, 1)/f(brain) <-- llm = Alpha(1)/f(llm) --> llm = Beta(1)/f(llm)
  ==> conflict: You gave these settings to Alpha.
a variable, and half of its uses
  brain = A()/f(brain)/g(brain, 2) <-- llm = A()/f(llm)/g(llm) --> llm = A()/f(llm)/g(llm)/h(llm)
  ==> brain = A()/f(brain)/g(brain, 2)/h(brain)
a variable that nothing uses
  y = f(1) <-- x = f(1) --> x = f(1)/g(x) ==> y = f(1)/g(y)
a variable, but not in each place
  brain = A()/f(brain)/g(brain)/h(llm) <-- llm = A()/f(llm)/g(llm)/h(llm) --> llm = A()/f(llm)/g(llm)/h(llm)/i(llm)
  ==> brain = A()/f(brain)/g(brain)/h(llm)/i(brain)
a variable and the function that it is in, and added an import
  import re/def converse():/    brain = A()/    a()/    b()/    c()/    f(brain)
  <-- def run():/    llm = A()/    a()/    b()/    c()/    f(llm)
  --> def run():/    llm = A()/    a()/    b()/    c()/    f(llm)/    g(llm)/run()
  ==> import re/def converse():/    brain = A()/    a()/    b()/    c()/    f(brain)/    g(brain)/converse()
a function that nothing uses
  def fetch():/    a()/    b() <-- def load():/    a()/    b() --> def load():/    a()/    c()
  ==> def fetch():/    a()/    c()
a function, or wrote another one
  def fetch():/    x()/    y() <-- def load():/    a()/    b() --> load() ==> conflict: You and botcli changed the same lines.
a global variable
  y = None/def f():/    global y/    y = 1/g(y) <-- x = None/def f():/    global x/    x = 1/g(x)
  --> x = None/def f():/    global x/    x = 2/g(x) ==> y = None/def f():/    global y/    y = 2/g(y)
a nonlocal variable
  def f():/    y = 0/    def g():/        nonlocal y/        y += 1/    h(y)/    i(y)/    j(y)
  <-- def f():/    x = 0/    def g():/        nonlocal x/        x += 1/    h(x)/    i(x)/    j(x)
  --> def f():/    x = 0/    def g():/        nonlocal x/        x += 2/    h(x)/    i(x)/    j(x)
  ==> conflict: botcli's change doesn't fit the blocks around it in your file.
a variable in one of two functions of one name
  def on():/    y = A()/    f(y)/def on():/    x = A()/    f(x)
  <-- def on():/    x = A()/    f(x)/def on():/    x = A()/    f(x)
  --> def on():/    x = A()/    f(x)/    g(x)/def on():/    x = A()/    f(x)
  ==> def on():/    y = A()/    f(y)/    g(y)/def on():/    x = A()/    f(x)
a name that botcli uses
  y = A()/f(y) <-- x = A()/f(x) --> x = A()/f(x)/g(y)
  ==> conflict: With botcli's change, "y" would mean something else.
`;
