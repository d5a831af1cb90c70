/**
 * The name of another agent's session. It stands on that agent's command line when the session goes on, and comes from
 * what the agent writes and from logs, which anybody may have written: a text of another form, which could be an option
 * there, is no session.
 */
import { z } from 'zod';

export const sessionName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,199}$/u);
