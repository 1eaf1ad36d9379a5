#!/usr/bin/env node
require('generator-botcli/command');
