import Guide from 'generator-botcli/generators/guide';

export default class extends Guide {
  constructor(args, options) {
    super(args, { ...options, directory: 'bot' });
  }
}
