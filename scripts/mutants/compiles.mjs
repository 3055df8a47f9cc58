import { join } from 'node:path';
import ts from 'typescript';

/** Returns a function that says whether a file would compile with another text. A mutant that does not compile reaches nobody. */
export function compiler(home) {
  const { config } = ts.readConfigFile(join(home, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, home);
  const changed = { file: '', text: '', version: 0 };
  const files = [];
  const service = ts.createLanguageService({
    ...ts.sys,
    useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
    // An import that a mutant no longer uses is no error.
    getCompilationSettings: () => ({ ...options, noUnusedLocals: false, noUnusedParameters: false }),
    getCurrentDirectory: () => home,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    getScriptFileNames: () => files,
    getScriptVersion: (file) => (file === changed.file ? `mutant ${changed.version}` : ''),
    getScriptSnapshot(file) {
      const text = file === changed.file ? changed.text : ts.sys.readFile(file);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
  });
  const hasErrors = (file) =>
    service.getSyntacticDiagnostics(file).length + service.getSemanticDiagnostics(file).length > 0;
  return (name, text) => {
    const file = join(home, name);
    if (!files.includes(file)) files.push(file);
    Object.assign(changed, { file, text, version: changed.version + 1 });
    return !hasErrors(file);
  };
}
