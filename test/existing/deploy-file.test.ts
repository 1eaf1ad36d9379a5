import assert from 'node:assert/strict';
import { parseDeployFile } from '../../src/existing/deploy-file.ts';

describe('cloud-deploy.toml', () => {
  it('says what to deploy, and how', () => {
    const file = parseDeployFile(`
agent_name = "bot"
secret_set = "bot-secrets"
image_credentials = "hub"
region = "eu-central"
agent_profile = "agent-2x"
websocket_auth = "none"
max_session_duration = 600
[build]
context_dir = "app"
dockerfile = "container-file"
[build.exclude]
patterns = ["*.md"]
[scaling]
min_agents = 1
max_agents = 5
[krisp_viva]
audio_filter = "tel"
`);
    assert.deepEqual(file, {
      agentName: 'bot',
      secretSet: 'bot-secrets',
      pullSecret: 'hub',
      region: 'eu-central',
      image: undefined,
      buildId: undefined,
      contextDir: 'app',
      dockerfile: 'container-file',
      namesDockerfile: true,
      buildFile: 'app/container-file',
      exclude: ['*.md'],
      agentProfile: 'agent-2x',
      minAgents: 1,
      maxAgents: 5,
      audioFilter: 'tel',
      websocketAuth: 'none',
      maxSessionDuration: 600,
      architecture: undefined,
      resources: undefined,
      problems: [],
    });
  });

  it('has the defaults of the platform', () => {
    const file = parseDeployFile('agent_name = "bot"');
    assert.equal(file?.buildFile, './Dockerfile');
    assert.deepEqual(file?.problems, []);
    assert.equal(parseDeployFile('agent_name = "bot"\nimage = "me/bot:1"')?.buildFile, undefined);
  });

  const problems: [contents: string, ...problems: string[]][] = [
    ['secret_sets = "x"', "secret_sets isn't a setting. Did you mean secret_set?"],
    ['[scaling]\nmin_agent = 1', "min_agent in [scaling] isn't a setting. Did you mean min_agents?"],
    ['[scaling]\nmin_agents = "1"', 'min_agents in [scaling] must be a whole number from 0 to 10000'],
    ['[scaling]\nmin_agents = 3\nmax_agents = 2', 'min_agents in [scaling] is larger than max_agents'],
    ['scaling = 1', 'scaling must be a table'],
    ['image = "me/bot"', 'image must be an image with its tag, such as me/my-bot:1.0'],
    ['image = "a/b:1"\nbuild_id = "3f1c09aa-0000-4000-8000-000000000000"', 'image and build_id exclude each other'],
    ['enable_krisp = true', 'enable_krisp is no longer used. Write audio_filter = "tel" or "pro" in [krisp_viva].'],
    ['[git]\nrepo = "a/b"', "git deploys from GitHub, which botcli doesn't. Remove it, or deploy from the dashboard."],
    ['[build]\ndockerfile = "/etc/passwd"', 'dockerfile in [build] must be a relative path'],
    [
      '[build]\ndockerfle = "container-file"\nargs = 3',
      "dockerfle in [build] isn't a setting. Did you mean dockerfile?",
      "args in [build] isn't a setting",
    ],
    ['[build.exclude]\npattern = ["*.md"]', "pattern in [build.exclude] isn't a setting. Did you mean patterns?"],
    ['[docker]\nx = 1\n[docker.auth]\ny = 2'],
    ['docker = 1', "docker isn't a setting"],
  ];
  for (const [contents, ...expected] of problems) {
    it(`${JSON.stringify(contents)}: ${expected[0] ?? 'no problem'}`, () => {
      assert.deepEqual(parseDeployFile(`agent_name = "bot"\n${contents}`)?.problems, expected);
    });
  }

  it('needs a name that the platform takes', () => {
    assert.deepEqual(parseDeployFile('')?.problems, ['agent_name is missing']);
    assert.deepEqual(parseDeployFile('agent_name = "My Bot"')?.problems, [
      'agent_name must be 2 to 54 lowercase letters, digits, and hyphens, and begin and end with a letter or digit',
    ]);
  });

  it('is undefined if it is not TOML', () => assert.equal(parseDeployFile('agent_name ='), undefined));
});
