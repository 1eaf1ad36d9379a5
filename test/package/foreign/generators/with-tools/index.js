import Guide from 'generator-botcli/generators/guide';

/** Uses the packages that are loaded on first use. botcli's own generators never use them. */
export default class extends Guide {
  async writing() {
    super.writing();
    const { stdout: node } = await this.spawn('node', ['--version']);
    const { stdout: sync } = this.spawnSync('node', ['--version']);
    const git = await this.simpleGit.version();
    await this.git.name().catch(() => 'nobody');
    const { CleanOptions } = this.simpleGit;
    this.put('tools.json', JSON.stringify({ node, sync, git: typeof git, clean: CleanOptions.FORCE }));
  }
}
