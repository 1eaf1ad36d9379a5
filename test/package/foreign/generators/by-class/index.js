import Guide from 'generator-botcli/generators/guide';
import Generator from 'yeoman-generator';

export default class extends Generator {
  async initializing() {
    const generatorOptions = { directory: 'bot' };
    await this.composeWith({ Generator: Guide, path: Guide.resolved }, { generatorOptions });
  }
}
