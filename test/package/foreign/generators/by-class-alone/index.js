import Guide from 'generator-botcli/generators/guide';
import Generator from 'yeoman-generator';

export default class extends Generator {
  async initializing() {
    await this.composeWith({ Generator: Guide }, { generatorOptions: { directory: 'bot' } });
  }
}
