import Bot from 'generator-botcli/generators/bot';
import Client from 'generator-botcli/generators/client';
import Generator from 'yeoman-generator';

/** The same options as in the test's `botcli init`. */
const generatorOptions = {
  transport: ['rtc_local', 'rtc_hosted'],
  mode: 'cascade',
  stt: 'openai_stt',
  llm: 'openai_llm',
  tts: 'openai_tts',
  clientFramework: 'component',
  clientServer: 'fullstack',
  eval: true,
};
const ways = {
  'by-namespace': ['botcli:bot', 'botcli:client'],
  'by-class': [Bot, Client].map(Part => ({ Generator: Part, path: Part.resolved })),
};

/** Composes a bot and its client in the way that its argument names, next to a file of its own. */
export default class extends Generator {
  constructor(args, options) {
    super(args, options);
    this.argument('way', { type: String });
  }

  async initializing() {
    for (const part of ways[this.options.way]) await this.composeWith(part, { generatorOptions });
  }

  writing() {
    this.fs.write(this.destinationPath('theirs.txt'), 'theirs\n');
  }
}
