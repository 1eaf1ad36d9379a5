import Generator from 'yeoman-generator';

export default class extends Generator {
  async initializing() {
    await this.composeWith('botcli:guide', { generatorOptions: { directory: 'bot' } });
  }
}
