/**
 * The workspace as MCP resources: `quod://file/PATH` is the text of a file, `quod://outline/PATH` its statements, and
 * `quod://goals/SESSION` what is left to prove in a session of the client. All comes from operations, so that their
 * rules hold here too: paths stay in the workspace, only what a prover reads is read, and no client sees another's sessions.
 */
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Resource } from '@modelcontextprotocol/server';
import { operations, type OperationName } from '../../operations/catalogue.ts';
import { textWithoutTargets } from '../../operations/rocq/file/file-operations.ts';
import { sourcePlace } from '../../operations/files/required-source.ts';
import { readSourceFile } from '../../operations/files/source-file.ts';
import { asQuodError, errorWithReason, errorObject } from '../error-object.ts';
import type { Caller } from '../calls.ts';
import type { Host } from '../host.ts';
import type { McpResources } from './surface.ts';

export function workspaceResources(host: Host, client: string): McpResources {
  /** Resources are of those operations that the host offers. */
  const isOffered = (name: OperationName): boolean =>
    host.operations.some((operation) => operation.name === name);
  const callerOf = (signal: AbortSignal): Caller => ({ client, signal, progress: () => {} });

  async function contentOf(kind: string, name: string, signal: AbortSignal): Promise<string | undefined> {
    switch (kind) {
      case 'file': {
        const { path, language } = await sourcePlace(host.workspace, name);
        return language === 'rocq'
          ? textWithoutTargets({ ...host, client }, name)
          : (await readSourceFile(path)).text;
      }
      case 'outline':
        return isOffered('rocq_outline')
          ? operations.rocq_outline.render(
              await host.calls.call(operations.rocq_outline, { file: name }, callerOf(signal)),
            )
          : undefined;
      case 'goals':
        return isOffered('rocq_goals')
          ? operations.rocq_goals.render(
              await host.calls.call(operations.rocq_goals, { session_id: name }, callerOf(signal)),
            )
          : undefined;
      default:
        return undefined;
    }
  }

  return {
    list: async (signal) => {
      const files = isOffered('rocq_files')
        ? (await host.calls.call(operations.rocq_files, {}, callerOf(signal))).files
        : [];
      const sessions = isOffered('rocq_sessions')
        ? (await host.calls.call(operations.rocq_sessions, {}, callerOf(signal))).sessions
        : [];
      return [
        ...files.map((file): Resource => ({
          uri: addressOf('file', file),
          name: file,
          mimeType: 'text/plain',
        })),
        ...sessions.map(({ session_id: session, theorem }): Resource => ({
          uri: addressOf('goals', session),
          name: `goals of ${theorem ?? session}`,
          mimeType: 'text/plain',
        })),
      ];
    },
    templates: [
      {
        uriTemplate: 'quod://file/{+path}',
        name: 'file',
        description: 'The text of a source of the workspace.',
      },
      { uriTemplate: 'quod://outline/{+path}', name: 'outline', description: 'The statements of a file.' },
      {
        uriTemplate: 'quod://goals/{session}',
        name: 'goals',
        description: 'What is left to prove in a session.',
      },
    ],
    read: async (uri, signal) => {
      const [, kind = '', path = ''] = /^quod:\/\/([a-z]+)\/(.+)$/.exec(uri) ?? [];
      try {
        const text = await contentOf(kind, decodeURIComponent(path), signal);
        return text === undefined ? undefined : { contents: [{ uri, mimeType: 'text/plain', text }] };
      } catch (thrown) {
        const error = asQuodError(thrown);
        if (error.reason === 'not-found') return undefined;
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, errorWithReason(error), {
          ...errorObject(error),
        });
      }
    },
  };
}

function addressOf(kind: string, path: string): string {
  return `quod://${kind}/${path.split('/').map(encodeURIComponent).join('/')}`;
}
