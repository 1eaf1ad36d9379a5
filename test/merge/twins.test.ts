import { testMerges } from './merging.ts';

const LLM = 'llm = Alpha(/    key=env["A_KEY"],/    model=1,/)';
const RUN = `async def run():/    a()/    ${LLM.replaceAll('/', '/    ')}/    await go(llm)`;
const deeper = (text: string) => `    ${text.replaceAll('/', '/    ')}`;

testMerges('merging Python when the user has', 'bot.py')`
an old copy of the function above: the right one changes
  ${RUN.replace('run', 'old_run')}//${RUN.replace('    a()/', '')} <-- ${RUN} --> ${RUN.replace('Alpha', 'Beta')}
  ==> ${RUN.replace('run', 'old_run')}//${RUN.replace('    a()/', '').replace('Alpha', 'Beta')}
the old code in a text
  """ old:/${LLM}/"""/${LLM.replace('key=', 'mine=1,/    key=')} <-- ${LLM} --> ${LLM.replace('Alpha', 'Beta')}
  ==> conflict: You gave these settings to Alpha.
the same code in two branches
  if TEST:/${deeper(LLM)}/else:/${deeper(LLM.replace('A_KEY', 'MY_KEY'))}/go(llm) <-- ${LLM}/go(llm)
  --> ${LLM.replace('Alpha', 'Beta')}/go(llm)
  ==> conflict: Your file has lines like these in several places, and botcli can't tell which the bot uses.
`;
