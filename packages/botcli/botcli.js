#!/usr/bin/env node
import 'generator-botcli/command';
