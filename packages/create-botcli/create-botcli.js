#!/usr/bin/env node

// `npm create botcli` is `botcli init`.
process.argv.splice(2, 0, 'init');
require('generator-botcli/command');
