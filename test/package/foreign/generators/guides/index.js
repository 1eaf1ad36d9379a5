import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import Guide from 'generator-botcli/generators/guide';
import Generator from 'yeoman-generator';

const Required = createRequire(import.meta.url)('generator-botcli/generators/guide');
const ways = {
  'by-namespace': 'botcli:guide',
  'by-class': { Generator: Guide, path: Guide.resolved },
  'by-class-alone': { Generator: Guide },
  'by-path': fileURLToPath(import.meta.resolve('generator-botcli/generators/guide')),
  'by-require': { Generator: Required, path: Required.resolved },
};

/** Composes the guides in the way that its argument names. */
export default class extends Generator {
  constructor(args, options) {
    super(args, options);
    this.argument('way', { type: String });
  }

  async initializing() {
    const { way } = this.options;
    const flat = { directory: 'bot' };
    await this.composeWith(ways[way], way === 'by-require' ? flat : { generatorOptions: flat });
  }
}
