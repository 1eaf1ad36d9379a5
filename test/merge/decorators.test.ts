import { testMerges } from './merging.ts';

const LOAD = 'def load(a):/    return a';
const RUN = 'async def run():/    await go()';
const TURN = 'async def on_turn(a):/        print(a)';
const REMOVED = 'conflict: You changed these lines, and botcli removes them.';
const session = (...lines: string[]) => `async def run():/${lines.map(line => `    ${line}/`).join('')}/    await go()`;

testMerges('merging a decorator when', 'bot.py')`
there is a comment below it
  @cache/# Why/def load():/    return 1 <-- @cache/def load():/    return 1 --> @cache/def load():/    return 2
  ==> @cache/# Why/def load():/    return 2
the function goes below it
  @cache(size=4)/${LOAD}//${RUN} <-- ${LOAD}//${RUN} --> ${RUN} ==> ${REMOVED}
the first of three functions goes
  @cache/${LOAD}//def call():/    pass//${RUN} <-- ${LOAD}//def call():/    pass//${RUN}
  --> def call():/    pass//${RUN} ==> ${REMOVED}
a class goes below it
  @final/class Call:/    number: str//${RUN} <-- class Call:/    number: str//${RUN} --> ${RUN} ==> ${REMOVED}
a handler goes below it, and no other follows
  ${session('@catch', '@line.on("turn")', TURN)} <-- ${session('@line.on("turn")', TURN)} --> ${RUN} ==> ${REMOVED}
it is between botcli's and the function that goes
  ${session('@line.on("turn")', '@catch', TURN)} <-- ${session('@line.on("turn")', TURN)} --> ${RUN} ==> ${REMOVED}
the function below it changes
  @cache/${LOAD} <-- ${LOAD} --> def load(a, b):/    return a ==> @cache/def load(a, b):/    return a
botcli adds one below it
  ${session('@catch', '@line.on("turn")', TURN)} <-- ${session('@line.on("turn")', TURN)}
  --> ${session('@line.on("turn")', '@line.on("word")', TURN)}
  ==> ${session('@catch', '@line.on("turn")', '@line.on("word")', TURN)}
the user has edited other lines, and botcli exchanges a decorator of two
  a = "Mine"//${session('@line.on("turn")', '@line.on("error")', TURN)}
  <-- a = "Hi"//${session('@line.on("turn")', '@line.on("error")', TURN)}
  --> a = "Hi"//${session('@line.on("error")', '@line.on("in")', TURN)}
  ==> a = "Mine"//${session('@line.on("error")', '@line.on("in")', TURN)}
the user has renamed the function, and botcli exchanges the decorator
  ${session('@line.on("turn")', TURN.replace('on', 'my'))} <-- ${session('@line.on("turn")', TURN)}
  --> ${session('@line.on("word")', TURN)} ==> ${session('@line.on("word")', TURN.replace('on', 'my'))}
`;
