// Arguments may contain a secret, which every user of this machine can read in the process list.
process.title = 'botcli';
