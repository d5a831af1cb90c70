/**
 * What Quod teaches a HOL session at its start: a structure whose functions print JSON, so that goals, theorems and
 * tags need not be read out of prose. It adds nothing to the theory that is being made. Everything printed for Quod
 * stands in a line between two marks with the session's secret in it.
 */
import { parsedJson } from '../../../core/json.ts';

/** Markers are made so that the text of a command never contains the printed form. */
export class Marks {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** Code that prints that the end of command `number` was reached. */
  reached(number: number): string {
    return `;val _ = TextIO.print "\\n@${this.#secret}"; val _ = TextIO.print ":reached:${number}@\\n";`;
  }

  /** Code that prints that command `number` is over, whatever became of it. */
  finished(number: number): string {
    return `val _ = TextIO.print "\\n@${this.#secret}"; val _ = TextIO.print ":finished:${number}@\\n";`;
  }

  isFinished(frame: string, number: number): boolean {
    return frame.trimEnd().endsWith(`@${this.#secret}:finished:${number}@`);
  }

  isOnlyFinished(frame: string): boolean {
    return new RegExp(`^\\s*@${this.#secret}:finished:\\d+@\\s*$`).test(frame);
  }

  /** Takes the marks and the JSON out of what a command printed. */
  read(
    text: string,
    number: number,
  ): { readonly text: string; readonly reached: boolean; readonly values: readonly unknown[] } {
    const values: unknown[] = [];
    let reached = false;
    const pattern = new RegExp(`\\n?@${this.#secret}:(reached|json):([^\\n]*)@\\n`, 'g');
    const rest = text.replace(pattern, (_, kind: string, told: string) => {
      if (kind === 'reached') reached ||= told === String(number);
      else values.push(parsedJson(told));
      return '';
    });
    return { text: rest, reached, values };
  }

  get prelude(): string {
    return PRELUDE.replace('@SECRET@', this.#secret);
  }
}

const PRELUDE = String.raw`
structure Quod_Port = struct
local
  open Lib Feedback
  val secret = "@SECRET@"
in
  (* JSON *)
  fun hex4 n = StringCvt.padLeft #"0" 4 (Int.fmt StringCvt.HEX n)
  fun str s =
    let
      fun chr1 c =
        if c = #"\"" then "\\\"" else if c = #"\\" then "\\\\"
        else if Char.ord c < 32 orelse Char.ord c = 127 then "\\u" ^ hex4 (Char.ord c)
        else String.str c
    in "\"" ^ String.translate chr1 s ^ "\"" end
  fun arr xs = "[" ^ String.concatWith "," xs ^ "]"
  fun obj fs = "{" ^ String.concatWith "," (map (fn (k, v) => str k ^ ":" ^ v) fs) ^ "}"
  fun num n = if n < 0 then "-" ^ Int.toString (~n) else Int.toString n
  fun bool b = if b then "true" else "false"
  fun tell json = (TextIO.print ("\n@" ^ secret); TextIO.print (":json:" ^ json ^ "@\n"))

  (* Terms and theorems on one line, without colours, as the session's settings show them. *)
  fun plain f x = with_flag (Globals.linewidth, 1000000) (with_flag (Parse.current_backend, PPBackEnd.raw_terminal) f) x
  fun oneLine s = String.concatWith " " (String.tokens Char.isSpace s)
  fun term t = str (oneLine (plain Parse.term_to_string t)) handle HOL_ERR _ => str "?"
  fun typed t = str (oneLine (with_flag (Globals.show_types, true) (plain Parse.term_to_string) t))
  fun goal (asl, w) = obj [("hypotheses", arr (map term (rev asl))), ("conclusion", term w)]
  fun goals gs = arr (map goal gs)
  fun oracles th = let val (os, _) = Tag.dest_tag (Thm.tag th) in filter (fn s => s <> "DISK_THM") os end
  fun theorem th = obj [
    ("conclusion", term (Thm.concl th)), ("hypotheses", arr (map term (Thm.hyp th))),
    ("oracles", arr (map str (oracles th))), ("axioms", arr (map str (#2 (Tag.dest_tag (Thm.tag th)))))]

  (* The proof that HOL's own proof manager has in front. *)
  fun tree (goalTree.vGoal g) = obj [("kind", str "goal"), ("goal", goal g)]
    | tree (goalTree.vAtom (s, _)) = obj [("kind", str "tactic"), ("text", str s)]
    | tree (goalTree.vThen (a, b)) = obj [("kind", str "then"), ("first", tree a), ("branches", arr [tree b])]
    | tree (goalTree.vThenl (a, bs)) = obj [("kind", str "then"), ("first", tree a), ("branches", arr (map tree bs))]
  fun manager () =
    let
      val Manager.PRFS ps = proofManagerLib.status ()
      fun done (Manager.PF (Manager.GOALSTACK h, _)) = (ignore (History.project goalStack.extract_thm h); true)
        | done (Manager.PF (Manager.GOALTREE h, _)) = null (History.project goalTree.all_goals h)
        | done (Manager.PF (Manager.GOALFRAG h, _)) = (ignore (History.project goalFrag.finish h); true)
      fun safely f x = f x handle HOL_ERR _ => false
      fun kind (Manager.PF (Manager.GOALSTACK _, _)) = "goalstack"
        | kind (Manager.PF (Manager.GOALTREE _, _)) = "goaltree"
        | kind (Manager.PF (Manager.GOALFRAG _, _)) = "goalfrag"
      fun treeOf (Manager.PF (Manager.GOALTREE h, _)) = History.project tree h
        | treeOf _ = "null"
      fun initial p = goal (Manager.initial_goal p) handle HOL_ERR _ => "null"
      fun thm (Manager.PF (Manager.GOALSTACK h, _)) = theorem (History.project goalStack.extract_thm h)
        | thm (Manager.PF (Manager.GOALFRAG h, _)) = theorem (History.project goalFrag.finish h)
        | thm _ = "null"
    in
      case ps of
        [] => obj [("kind", str "none"), ("proofs", num 0)]
      | p :: _ =>
        let val proved = safely done p in
          obj [("kind", str (kind p)), ("proofs", num (length ps)), ("proved", bool proved),
               ("initial", initial p), ("tree", treeOf p),
               ("goals", goals (Manager.top_goals p handle HOL_ERR _ => [])),
               ("theorem", if proved then (thm p handle HOL_ERR _ => "null") else "null")]
        end
    end

  (* Proof states that Quod holds, by number: values, so each can be gone on from at any time. *)
  val states : (int, goalFrag.goalstate) Redblackmap.dict ref = ref (Redblackmap.mkDict Int.compare)
  fun state n = Redblackmap.find (!states, n)
    handle Redblackmap.NotFound => raise mk_HOL_ERR "Quod_Port" "state" ("no proof state " ^ Int.toString n)
  fun put n s = states := Redblackmap.insert (!states, n, s)
  fun forget n = states := #1 (Redblackmap.remove (!states, n)) handle Redblackmap.NotFound => ()
  fun forget_all () = states := Redblackmap.mkDict Int.compare

  (* Which oracles a finished or unfinished proof rests on: what is open is closed by a probe that leaves a mark. *)
  fun rests s =
    let
      fun probe g = ([], fn _ => Thm.mk_oracle_thm "Quod_probe" g)
      fun close s 0 = NONE
        | close s n =
            let val s = goalFrag.expandf probe s in
              SOME (goalFrag.finish s) handle HOL_ERR _ => (close (goalFrag.close_paren s) (n - 1))
            end
      fun tags th = filter (fn s => s <> "Quod_probe") (oracles th)
    in
      (case total goalFrag.finish s of
         SOME th => tags th
       | NONE => (case close s 200 of SOME th => tags th | NONE => []))
      handle Interrupt => raise Interrupt | _ => []
    end
  fun show s =
    let val gs = goalFrag.top_goals s in
      obj [("goals", goals gs), ("finished", bool (can goalFrag.finish s)),
           ("oracles", if null gs then arr (map str (rests s)) else "[]")]
    end
  fun count s = length (goalFrag.top_goals s)

  datatype step = Frag of goalFrag.frag_tactic | Open of goalFrag.frag_tactic

  (* The statement as Theorem parses it. *)
  fun state_goal n q = put n (goalFrag.new_goal ([], Parse.typedTerm q Type.bool))
  fun set_goal n g = put n (goalFrag.new_goal g)
  fun run from to steps =
    let
      val opened = ref ([] : int list)
      fun go [] s = s
        | go (Frag f :: rest) s = go rest (f s)
        | go (Open f :: rest) s = (opened := count s :: !opened; go rest (f s))
      val s = go steps (state from)
      val () = put to s
    in tell (obj [("opened", arr (map num (rev (!opened)))), ("count", num (count s))]) end
  (* Runs a whole proof and tells the theorem; refuses one that is not of the goal. *)
  fun check q steps =
    let
      val goal = ([], Parse.typedTerm q Type.bool)
      fun go [] s = s
        | go (Frag f :: rest) s = go rest (f s)
        | go (Open f :: rest) s = go rest (f s)
      val th = goalFrag.finish (go steps (goalFrag.new_goal goal))
    in
      if Term.aconv (Thm.concl th) (#2 goal) then tell (theorem th)
      else raise mk_HOL_ERR "Quod_Port" "check" "the proof proves something else"
    end
  fun tell_state n = tell (show (state n))

  (* A theory's theorems by name, for asking what a script made. *)
  fun kindOf c = case c of DB.Thm => "theorem" | DB.Axm => "axiom" | DB.Def => "definition"
  fun hit ((thy, name), (th, class, _)) =
    obj [("theory", str thy), ("name", str name), ("kind", str (kindOf class)), ("theorem", theorem th)]
  fun tell_hits limit hits =
    tell (obj [("total", num (length hits)),
               ("hits", arr (map hit (if length hits > limit then List.take (hits, limit) else hits)))])
  fun axioms_below thy =
    List.concat (map (fn t => map (fn (n, _) => t ^ "$" ^ n) (DB.axioms t)) (thy :: Theory.ancestry thy))

  (* A number that changes when the theory segment or the grammar does. *)
  fun segment () =
    let val t = Theory.current_theory () in
      String.concatWith "." [t, Int.toString (length (DB.thms t)), Int.toString (length (Theory.constants t)),
        Int.toString (length (Theory.types t)), Int.toString (length (DB.definitions t)),
        Int.toString (length (DB.axioms t))]
    end
  fun tell_segment () = tell (str (segment ()))

  fun tell_theorem th = tell (theorem th)
  fun load names = List.app Meta.load names
  fun load_all names =
    let
      fun one n = (Meta.load n; NONE) handle Interrupt => raise Interrupt
        | e => SOME (obj [("module", str n), ("why", str (General.exnMessage e))])
    in tell (arr (List.mapPartial one names)) end
end
end;
`;
