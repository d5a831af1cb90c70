/**
 * The routes as one page for a browser: what each operation takes and answers, and a form that calls it. It loads
 * nothing from anywhere, and its policy forbids that too.
 */
import { randomBytes } from 'node:crypto';
import { html, raw } from 'hono/html';
import { orNothing } from '../../core/entry.ts';
import { REASON_CODES } from '../../core/reason.ts';
import type { AnyOperation } from '../../operations/definition/operation.ts';
import { statusOf } from '../problem.ts';
import { typeText } from '../../operations/definition/operation-schema.ts';
import type { ObjectSchema } from '../../operations/definition/operation-schema.ts';
import { readPackageVersion } from '../../core/installed-package.ts';
import { documentationHeaders } from './response-headers.ts';
import { hasGet, routePath } from './routes.ts';

type Html = ReturnType<typeof html>;

export async function documentationPage(operations: readonly AnyOperation[]): Promise<Response> {
  const nonce = randomBytes(16).toString('base64');
  const areas = [...new Set(operations.map(({ area }) => area))];
  const page = await html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Quod: operations</title>
        <style nonce="${nonce}">
          ${raw(STYLE)}
        </style>
      </head>
      <body>
        <nav>
          <h1>Quod ${readPackageVersion()}</h1>
          <p><a href="/api/openapi.json">OpenAPI 3.1</a></p>
          ${areas.map(
            (area) =>
              html`<h2>${area}</h2>
                <ul>
                  ${operations
                    .filter((operation) => operation.area === area)
                    .map(({ name }) => html`<li><a href="#${name}">${name}</a></li>`)}
                </ul>`,
          )}
          <p><a href="#reasons">Reasons</a></p>
        </nav>
        <main>
          <label>Token <input id="token" type="password" autocomplete="off" /></label>
          <label>Client <input id="client" value="docs" /></label>
          ${operations.map(operationSection)}
          <section id="reasons">
            <h2>Reasons</h2>
            <table>
              ${Object.entries(REASON_CODES).map(
                ([reason, meaning]) =>
                  html`<tr id="${reason}">
                    <td><code>${reason}</code></td>
                    <td>${statusOf(reason as keyof typeof REASON_CODES)}</td>
                    <td>${meaning}</td>
                  </tr>`,
              )}
            </table>
          </section>
        </main>
        <script nonce="${nonce}">
          ${raw(SCRIPT)};
        </script>
      </body>
    </html>`;
  return new Response(String(page), { headers: documentationHeaders(nonce) });
}

function operationSection(operation: AnyOperation): Html {
  const { name, title, summary, details } = operation;
  const input = operation.inputSchema();
  const example = Object.fromEntries(input.required.map((parameter) => [parameter, '']));
  return html`<section id="${name}">
    <h2>${title}</h2>
    <p><code>${hasGet(operation) ? 'POST or GET' : 'POST'} ${routePath(operation)}</code></p>
    <p>${summary}</p>
    ${details === '' ? '' : html`<p class="details">${details}</p>`} ${propertyTable('Takes', input)}
    ${propertyTable('Answers', operation.outputSchema())}
    <form data-path="${routePath(operation)}">
      <textarea rows="4" spellcheck="false">${JSON.stringify(example, undefined, 2)}</textarea>
      <button>Call</button>
      <pre></pre>
    </form>
  </section>`;
}

function propertyTable(heading: string, { properties, required }: ObjectSchema): Html {
  return html`<h3>${heading}</h3>
    <table>
      ${Object.entries(properties).map(
        ([name, schema]) =>
          html`<tr>
            <td><code>${name}</code>${required.includes(name) ? '' : ' (optional)'}</td>
            <td>${typeText(schema)}</td>
            <td>${orNothing(schema.description)}</td>
          </tr>`,
      )}
    </table>`;
}

const STYLE = `
body { margin: 0; display: grid; grid-template-columns: 18rem 1fr; font: 16px/1.5 system-ui, sans-serif; }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1rem; box-sizing: border-box; background: #f3f4f6; }
nav ul { list-style: none; padding: 0; }
main { padding: 1rem 2rem; max-width: 60rem; overflow-wrap: anywhere; }
h1 { font-size: 1.2rem; } h2 { font-size: 1.1rem; margin-top: 2rem; } h3 { font-size: 1rem; }
table { border-collapse: collapse; } td { border-top: 1px solid #d1d5db; padding: .25rem .75rem .25rem 0; vertical-align: top; }
textarea { width: 100%; box-sizing: border-box; font-family: ui-monospace, monospace; }
pre { white-space: pre-wrap; max-height: 30rem; overflow: auto; }
.details { white-space: pre-wrap; }
@media (max-width: 50rem) { body { display: block; } nav { position: static; height: auto; } }
@media (prefers-color-scheme: dark) { body { background: #111827; color: #e5e7eb; } nav { background: #1f2937; } a { color: #93c5fd; } }
`;

const SCRIPT = `
for (const form of document.forms) form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const shown = form.querySelector('pre');
  shown.textContent = 'Running.';
  const token = document.getElementById('token').value;
  try {
    const response = await fetch(form.dataset.path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'quod-client': document.getElementById('client').value,
        ...(token && { authorization: 'Bearer ' + token }),
      },
      body: form.querySelector('textarea').value,
    });
    shown.textContent = response.status + ' ' + JSON.stringify(await response.json(), undefined, 2);
  } catch (error) {
    shown.textContent = String(error);
  }
});
`;
