import Guide = require('generator-botcli/generators/guide');

/** What `require` returns is the class. */
export class Extended extends Guide {
  override writing() {
    super.writing();
    this.put('RULES.md', 'ours\n');
  }
}
