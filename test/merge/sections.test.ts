import { testMerges } from './merging.ts';

const SAME = 'conflict: You and botcli changed the same lines.';
const RUN = '## Run//Call it./Then talk./Wait a bit.//';
const DEPLOY = '## Deploy//Push it./Then wait./Look at it.//';
const TWICE = '## Deploy//Push it./Then wait./Look at it./Ask the team.//';
const SUNG = DEPLOY.replace('Then wait', 'Then sing');
const END = '## End/Bye now.';

testMerges('merging Markdown when the user has', 'README.md')`
a rewritten section
  ## Run//My way.//${END} <-- ${RUN}${END} --> ${RUN.replace('talk', 'sing')}${END} ==> ## Run//My way.//${END}
a removed section
  ${RUN}${END} <-- ${RUN}${DEPLOY}${END} --> ${RUN}${SUNG}${END} ==> ${RUN}${END}
a section that the user has edited
  ${RUN}${DEPLOY.replace('Then wait', 'Then run')}${END} <-- ${RUN}${DEPLOY}${END} --> ${RUN}${SUNG}${END} ==> ${SAME}
a section under another heading
  ${RUN}${DEPLOY.replace('Deploy', 'Ship')}${END} <-- ${RUN}${DEPLOY}${END} --> ${RUN}${SUNG}${END}
  ==> ${RUN}${SUNG.replace('Deploy', 'Ship')}${END}
a rewritten section of two lines
  ${RUN}## End/See you soon. <-- ${RUN}${END}/Then sleep. --> ${RUN}${END}/Then rest. ==> ${SAME}
a removed section with a line that another one has
  ${RUN.replace('Call', 'Push')}${END} <-- ${RUN.replace('Call', 'Push')}${TWICE}${END}
  --> ${RUN.replace('Call', 'Push')}${TWICE.replace('Then wait', 'Then sing')}${END} ==> ${RUN.replace('Call', 'Push')}${END}
a rewritten section, and a line of it in another one
  ## Run//My way.//${DEPLOY}Call it. <-- ${RUN}${DEPLOY} --> ${RUN.replace('talk', 'sing')}${DEPLOY}
  ==> ## Run//My way.//${DEPLOY}Call it.
a rewritten last section
  ${RUN}## End/See you soon. <-- ${RUN}${END}/Then sleep./Then wake. --> ${RUN}${END}/Then rest./Then wake.
  ==> ${RUN}## End/See you soon.
a rewritten section with a comment in a line of code
  ## Run/My own way.//${END} <-- ## Run/Call it./\`make # all\`/Then talk.//${END}
  --> ## Run/Call it./\`make # all\`/Then sing.//${END}/So long. ==> ## Run/My own way.//${END}/So long.
another section with the same heading
  ${RUN}${END}//## Run//My way. <-- ${RUN}${END} --> ${RUN.replace('talk', 'sing')}${END}
  ==> ${RUN.replace('talk', 'sing')}${END}//## Run//My way.
a rewritten section, and ours has a new one
  ## Run//My way.//${END} <-- ${RUN}${END} --> ${RUN}${END}//## Help/Ask us. ==> ## Run//My way.//${END}//## Help/Ask us.
a rewritten section with comments in code
  ## Run/My own way.//${END}/So long.
  <-- ## Run/Call it./Then talk./\`\`\`/~~~/# No heading/\`\`\`/Wait a bit.//${END}/So long.
  --> ## Run/Call it./Then talk./\`\`\`/~~~/# No heading/\`\`\`/Wait a lot.//${END}/So far.
  ==> ## Run/My own way.//${END}/So far.
`;
