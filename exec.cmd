@rem npm scripts begin with exec, so that signals reach the program and not a shell. On Windows this file is that command.
@%*
