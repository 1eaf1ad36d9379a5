import { createRequire } from 'node:module';
import Generator from 'yeoman-generator';

const Guide = createRequire(import.meta.url)('generator-botcli/generators/guide');

export default class extends Generator {
  async initializing() {
    await this.composeWith({ Generator: Guide, path: Guide.resolved }, { directory: 'bot' });
  }
}
