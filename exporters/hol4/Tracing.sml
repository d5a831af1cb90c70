(* Quod's exporter for HOL4's tracing kernel: writes the proofs of each theory as text.

   Put this file in place of src/tracing/yes/Tracing.sml before building HOL4 with --trknl. Each theory then leaves
   .hol/objs/NAMETheory.prf beside its other outputs, in the format that docs/judge/hol4-replay.md of Quod describes.
   `quod hol replay` checks these files; nothing here needs to be trusted.

   A theorem that was written is marked in its proof reference, so that it is written once. *)

structure Tracing :> Tracing =
struct

  (* --- Hash tables on integers and strings ------------------------------------------------------------------- *)

  type 'a table = ('a list array * int) ref

  fun newTable () : 'a table = ref (Array.array (1024, []), 0)

  fun slotOf (size, hash) = Word.toInt (Word.mod (hash, Word.fromInt size))

  fun addTo hashOf (table : 'a table) entry =
    let
      val (buckets, count) = !table
      val size = Array.length buckets
      val buckets =
        if count < size then buckets
        else
          let
            val larger = Array.array (2 * size, [])
            fun move e =
              let val slot = slotOf (2 * size, hashOf e)
              in Array.update (larger, slot, e :: Array.sub (larger, slot)) end
          in Array.app (List.app move) buckets; larger end
      val slot = slotOf (Array.length buckets, hashOf entry)
    in
      Array.update (buckets, slot, entry :: Array.sub (buckets, slot));
      table := (buckets, count + 1)
    end

  fun bucketOf (table : 'a table) hash =
    let val (buckets, _) = !table
    in Array.sub (buckets, slotOf (Array.length buckets, hash)) end

  fun hashString s =
    CharVector.foldl (fn (c, h) => Word.xorb (h * 0w16777619, Word.fromInt (Char.ord c))) 0w2166136261 s

  fun hashNode (kind, left, right) =
    ((Word.fromInt kind * 0w31 + Word.fromInt left) * 0w40503 + Word.fromInt right) * 0w40503

  (* --- One theory --------------------------------------------------------------------------------------------- *)

  (* The parts of a theorem as the kernel stores them; only the reference is needed. *)
  fun proofRef (th : Thm.thm) : Thm.proof ref =
    let val (_, _, _, r) : Tag.tag * Term.term HOLset.set * Term.term * Thm.proof ref = RunCall.unsafeCast th
    in r end

  fun escape s =
    String.translate (fn #" " => "\\s" | #"\n" => "\\n" | #"\\" => "\\\\" | c => String.str c) s

  val runs = ref 0

  fun export file {theory, parents, types, constants, all_thms, anon_thms} =
    let
      val out = TextIO.openOut file
      fun line fields = TextIO.output (out, String.concatWith " " fields ^ "\n")
      val int = Int.toString
      val () = runs := !runs + 1
      (* Marks of an earlier export are not ours. *)
      val markPrefix = "quod " ^ int (!runs) ^ " " ^ Time.toString (Time.now ()) ^ " "

      (* Definitions come before everything that mentions what they define: `definitions` has those not written yet,
         `writeTheorem` writes one. *)
      val definitions : (KernelSig.kernelid, Thm.thm) Redblackmap.dict ref = ref (Redblackmap.mkDict KernelSig.id_compare)
      val typeDefinitions : (KernelSig.kernelid, Thm.thm) Redblackmap.dict ref =
        ref (Redblackmap.mkDict KernelSig.id_compare)
      val writeTheorem : (Thm.thm -> unit) ref = ref (fn _ => ())
      fun define pending id =
        case Redblackmap.peek (!pending, id) of
          NONE => ()
        | SOME th => (pending := #1 (Redblackmap.remove (!pending, id)); !writeTheorem th)

      (* Names. Constants or type operators that were redefined or deleted can share a name; the current one has it
         plain, or the first one when none is current. *)
      type names = {byId : (KernelSig.kernelid, string) Redblackmap.dict ref, taken : string list ref}
      fun newNames () : names = {byId = ref (Redblackmap.mkDict KernelSig.id_compare), taken = ref []}
      val constantNames = newNames ()
      val operatorNames = newNames ()
      fun nameOf ({byId, taken} : names) current declare id =
        case Redblackmap.peek (!byId, id) of
          SOME name => name
        | NONE =>
            let
              val plain = KernelSig.seg_of id ^ "$" ^ KernelSig.name_of id
              val isPlain =
                case current () of SOME other => other = id | NONE => not (Lib.mem plain (!taken))
              val number = int (Redblackmap.numItems (!byId))
              val local_ = KernelSig.name_of id ^ (if isPlain then "" else "#" ^ number)
            in
              byId := Redblackmap.insert (!byId, id, KernelSig.seg_of id ^ "$" ^ local_);
              if isSome (current ()) then () else taken := plain :: !taken;
              if KernelSig.seg_of id = theory then declare local_ else ();
              KernelSig.seg_of id ^ "$" ^ local_
            end
      fun valueOf f = SOME (f ()) handle Feedback.HOL_ERR _ => NONE

      (* Types *)
      val typeTable : (string * int) table = newTable ()
      val typeCount = ref 0
      fun typeId ty =
        let
          val text =
            if Type.is_vartype ty then "y v " ^ escape (Type.dest_vartype ty)
            else
              let
                val {Thy, Tyop, Args} = Type.dest_thy_typeid ty
                val () = define typeDefinitions Tyop
                fun current () =
                  valueOf (fn () =>
                    #Tyop (Type.dest_thy_typeid
                      (Type.mk_thy_type {Thy = Thy, Tyop = KernelSig.name_of Tyop, Args = Args})))
                fun declare name = line ["type", escape name, int (length Args)]
                val name = nameOf operatorNames current declare Tyop
              in String.concatWith " " ("y o" :: escape name :: map (int o typeId) Args) end
          val hash = hashString text
        in
          case List.find (fn (t, _) => t = text) (bucketOf typeTable hash) of
            SOME (_, id) => id
          | NONE =>
              let val id = !typeCount
              in
                TextIO.output (out, text ^ "\n");
                typeCount := id + 1;
                addTo (hashString o #1) typeTable (text, id);
                id
              end
        end

      (* Terms *)
      val atoms : ((Term.term, int) Redblackmap.dict) ref = ref (Redblackmap.mkDict Term.compare)
      val atomNodes : int array ref = ref (Array.array (1024, ~1))
      val atomTerms : Term.term array ref = ref (Array.array (1024, Term.equality))
      val atomCount = ref 0
      fun atomIndex tm =
        case Redblackmap.peek (!atoms, tm) of
          SOME i => i
        | NONE =>
            let
              val i = !atomCount
              fun grown (old, filler) =
                if i < Array.length old then old
                else
                  let val larger = Array.array (2 * Array.length old, filler)
                  in Array.copy {src = old, dst = larger, di = 0}; larger end
            in
              atomNodes := grown (!atomNodes, ~1);
              atomTerms := grown (!atomTerms, Term.equality);
              Array.update (!atomTerms, i, tm);
              atoms := Redblackmap.insert (!atoms, tm, i);
              atomCount := i + 1;
              i
            end

      val nodes : (int * int * int * int) table = newTable ()
      val nodeCount = ref 0
      fun node (kind, left, right, text) =
        let val hash = hashNode (kind, left, right)
        in
          case List.find (fn (k, l, r, _) => k = kind andalso l = left andalso r = right) (bucketOf nodes hash) of
            SOME (_, _, _, id) => id
          | NONE =>
              let val id = !nodeCount
              in
                line (text ());
                nodeCount := id + 1;
                addTo (fn (k, l, r, _) => hashNode (k, l, r)) nodes (kind, left, right, id);
                id
              end
        end
      fun application (f, x) = node (0, f, x, fn () => ["m a", int f, int x])
      fun bound i = node (1, i, 0, fn () => ["m b", int i])
      fun abstraction (ty, b) = node (2, ty, b, fn () => ["m l", int ty, int b])

      (* A definition declares its constants; a constant without one is declared where it is first met. *)
      val genericTypes = Redblackmap.fromList String.compare constants
      val defined : KernelSig.kernelid list ref = ref []
      fun constantName y id =
        let
          fun current () =
            valueOf (fn () =>
              #Name (Term.dest_thy_constid
                (Term.prim_mk_const {Thy = KernelSig.seg_of id, Name = KernelSig.name_of id})))
          fun declare name =
            if Lib.mem id (!defined) then ()
            else
              let val ty = case Redblackmap.peek (genericTypes, name) of SOME ty => typeId ty | NONE => y
              in line ["const", escape name, int ty] end
        in nameOf constantNames current declare id end

      fun atom i =
        case Array.sub (!atomNodes, i) of
          ~1 =>
            let
              val tm = Array.sub (!atomTerms, i)
              val id =
                if Term.is_var tm then
                  let val (name, ty) = Term.dest_var tm
                      val y = typeId ty
                  in node (3, i, 0, fn () => ["m f", escape name, int y]) end
                else
                  let
                    val {Name, Ty, ...} = Term.dest_thy_constid tm
                    val () = define definitions Name
                    val y = typeId Ty
                    val name = constantName y Name
                  in node (4, i, 0, fn () => ["m c", escape name, int y]) end
            in Array.update (!atomNodes, i, id); id end
        | id => id
      fun atomType i = typeId (Term.type_of (Array.sub (!atomTerms, i)))

      (* Term.write_raw gives a term as operations on a stack: %i atom, $i bound variable, | abstraction of the two on
         top, @n that many applications, and short forms for a head applied to one (U, u) or two (B, b) arguments. *)
      datatype item = Node of int | Atom of int
      fun toNode (Node n) = n
        | toNode (Atom i) = atom i
      fun readRaw text =
        let
          val size = String.size text
          fun digits (i, n) =
            if i < size andalso Char.isDigit (String.sub (text, i)) then
              digits (i + 1, 10 * n + Char.ord (String.sub (text, i)) - 48)
            else (i, n)
          fun apply (0, stack) = stack
            | apply (n, x :: f :: stack) = apply (n - 1, Node (application (toNode f, toNode x)) :: stack)
            | apply _ = raise Fail "Tracing: raw term"
          fun go (i, stack) =
            if i >= size then
              (case stack of [x] => toNode x | _ => raise Fail "Tracing: raw term")
            else
              let val (next, n) = digits (i + 1, 0)
              in
                case (String.sub (text, i), stack) of
                  (#"%", _) => go (next, Atom n :: stack)
                | (#"$", _) => go (next, Node (bound n) :: stack)
                | (#"|", b :: Atom v :: rest) => go (next, Node (abstraction (atomType v, toNode b)) :: rest)
                | (#"@", _) => go (next, apply (if next = i + 1 then 1 else n, stack))
                | (#"U", x :: rest) => go (next, unary (atom n, x, rest))
                | (#"u", x :: rest) => go (next, unary (bound n, x, rest))
                | (#"B", y :: x :: rest) => go (next, binary (atom n, x, y, rest))
                | (#"b", y :: x :: rest) => go (next, binary (bound n, x, y, rest))
                | _ => raise Fail "Tracing: raw term"
              end
          and unary (f, x, rest) = Node (application (f, toNode x)) :: rest
          and binary (f, x, y, rest) = Node (application (application (f, toNode x), toNode y)) :: rest
        in go (0, []) end

      val rawTexts : (string * int) table = newTable ()
      fun termId tm =
        let
          val text = Term.write_raw atomIndex tm
          val hash = hashString text
        in
          case List.find (fn (t, _) => t = text) (bucketOf rawTexts hash) of
            SOME (_, id) => id
          | NONE =>
              let val id = readRaw text
              in addTo (hashString o #1) rawTexts (text, id); id end
        end

      (* Theorems *)
      val theoremCount = ref 0
      fun m tm = int (termId tm)
      fun y ty = int (typeId ty)
      fun sequent th = m (Thm.concl th) :: map m (Thm.hyp th)
      (* In a definition: the name is new, so the constant is not written as a term before. *)
      fun constName tm =
        let val {Name, Ty, ...} = Term.dest_thy_constid tm
        in
          defined := Name :: !defined;
          definitions := (#1 (Redblackmap.remove (!definitions, Name)) handle Redblackmap.NotFound => !definitions);
          escape (constantName (typeId Ty) Name)
        end
      fun typeName ty =
        let
          val {Thy, Tyop, Args} = Type.dest_thy_typeid ty
          fun current () =
            valueOf (fn () =>
              #Tyop (Type.dest_thy_typeid
                (Type.mk_thy_type {Thy = Thy, Tyop = KernelSig.name_of Tyop, Args = Args})))
        in
          typeDefinitions :=
            (#1 (Redblackmap.remove (!typeDefinitions, Tyop)) handle Redblackmap.NotFound => !typeDefinitions);
          escape (nameOf operatorNames current (fn _ => ()) Tyop)
        end

      (* Finds the definitions, before anything is written. A theorem that was seen gets a mark around its proof. *)
      val seen = "quod seen " ^ markPrefix
      fun premises proof =
        case proof of
          Thm.ABS_prf (_, a) => [a]
        | Thm.AP_TERM_prf (_, a) => [a]
        | Thm.AP_THM_prf (a, _) => [a]
        | Thm.MK_COMB_prf (a, b) => [a, b]
        | Thm.Mk_comb_prf (a, b, c) => [a, b, c]
        | Thm.Mk_abs_prf (a, _, b) => [a, b]
        | Thm.Beta_prf a => [a]
        | Thm.SYM_prf a => [a]
        | Thm.TRANS_prf (a, b) => [a, b]
        | Thm.EQ_MP_prf (a, b) => [a, b]
        | Thm.EQ_IMP_RULE1_prf a => [a]
        | Thm.EQ_IMP_RULE2_prf a => [a]
        | Thm.MP_prf (a, b) => [a, b]
        | Thm.DISCH_prf (_, a) => [a]
        | Thm.CCONTR_prf (_, a) => [a]
        | Thm.NOT_INTRO_prf a => [a]
        | Thm.NOT_ELIM_prf a => [a]
        | Thm.CONJ_prf (a, b) => [a, b]
        | Thm.CONJUNCT1_prf a => [a]
        | Thm.CONJUNCT2_prf a => [a]
        | Thm.DISJ1_prf (a, _) => [a]
        | Thm.DISJ2_prf (_, a) => [a]
        | Thm.DISJ_CASES_prf (a, b, c) => [a, b, c]
        | Thm.EXISTS_prf (_, _, a) => [a]
        | Thm.CHOOSE_prf (_, a, b) => [a, b]
        | Thm.GEN_prf (_, a) => [a]
        | Thm.GENL_prf (_, a) => [a]
        | Thm.GEN_ABS_prf (_, _, a) => [a]
        | Thm.SPEC_prf (_, a) => [a]
        | Thm.Specialize_prf (_, a) => [a]
        | Thm.INST_prf (_, a) => [a]
        | Thm.INST_TYPE_prf (_, a) => [a]
        | Thm.SUBST_prf (s, _, a) => a :: map #residue s
        | Thm.deductAntisym_prf (a, b) => [a, b]
        | Thm.Def_const_list_prf (a, _) => [a]
        | Thm.Def_spec_prf (a, _) => [a]
        | Thm.Def_tyop_prf (_, a, _) => [a]
        | Thm.compute_prf (({char_eqns, ...}, codes), _) => codes @ map #2 char_eqns
        | _ => []
      fun find [] = ()
        | find (th :: rest) =
            case Thm.proof th of
              Thm.save_dep_prf inner => find (inner :: rest)
            | Thm.Mark_prf (label, inner) => if label = seen then find rest else find (inner :: rest)
            | proof =>
                let
                  val copy : Thm.thm =
                    RunCall.unsafeCast (Thm.tag th, Thm.hypset th, Thm.concl th, ref proof)
                  fun add id = definitions := Redblackmap.insert (!definitions, id, copy)
                  fun addConstant tm = add (#Name (Term.dest_thy_constid tm))
                in
                  proofRef th := Thm.Mark_prf (seen, copy);
                  case proof of
                    Thm.Def_const_prf (_, c) => addConstant c
                  | Thm.Def_const_list_prf (_, cs) => List.app addConstant cs
                  | Thm.Def_spec_prf (_, cs) => List.app addConstant cs
                  | Thm.Def_tyop_prf (_, _, ty) =>
                      typeDefinitions :=
                        Redblackmap.insert (!typeDefinitions, #Tyop (Type.dest_thy_typeid ty), copy)
                  | _ => ();
                  find (premises proof @ rest)
                end

      fun pairs left right subst =
        List.concat (map (fn {redex, residue} => let val a = left redex in [a, right residue] end) subst)

      fun t th =
        case Thm.proof th of
          Thm.save_dep_prf inner => t inner
        | Thm.Mark_prf (label, inner) =>
            if String.isPrefix markPrefix label then String.extract (label, size markPrefix, NONE) else t inner
        | proof =>
            let
              val text = step th proof
              val id = int (!theoremCount)
            in
              line ("t" :: text);
              theoremCount := !theoremCount + 1;
              proofRef th := Thm.Mark_prf (markPrefix ^ id, th);
              id
            end

      and step th proof =
        case proof of
          Thm.Axiom_prf => "AXIOM" :: sequent th
        | Thm.deleted_prf => "DELETED" :: sequent th
        | Thm.Exported_prf _ => "EXPORTED" :: sequent th
        | Thm.Disk_prf (thy, id) =>
            "DISK" :: escape thy ::
            (case id of Thm.SavedName n => ["n", escape n] | Thm.SavedAnon i => ["a", int i]) @ sequent th
        | Thm.ASSUME_prf a => ["ASSUME", m a]
        | Thm.REFL_prf a => ["REFL", m a]
        | Thm.BETA_CONV_prf a => ["BETA_CONV", m a]
        | Thm.ALPHA_prf (a, b) => ["ALPHA", m a, m b]
        | Thm.ABS_prf (v, a) => ["ABS", m v, t a]
        | Thm.AP_TERM_prf (f, a) => ["AP_TERM", m f, t a]
        | Thm.AP_THM_prf (a, x) => ["AP_THM", m x, t a]
        | Thm.MK_COMB_prf (a, b) => ["MK_COMB", t a, t b]
        | Thm.Mk_comb_prf (a, b, c) => ["Mk_comb", t a, t b, t c]
        | Thm.Mk_abs_prf (a, v, b) => ["Mk_abs", m v, t a, t b]
        | Thm.Beta_prf a => ["Beta", t a]
        | Thm.SYM_prf a => ["SYM", t a]
        | Thm.TRANS_prf (a, b) => ["TRANS", t a, t b]
        | Thm.EQ_MP_prf (a, b) => ["EQ_MP", t a, t b]
        | Thm.EQ_IMP_RULE1_prf a => ["EQ_IMP_RULE1", t a]
        | Thm.EQ_IMP_RULE2_prf a => ["EQ_IMP_RULE2", t a]
        | Thm.MP_prf (a, b) => ["MP", t a, t b]
        | Thm.DISCH_prf (a, b) => ["DISCH", m a, t b]
        | Thm.CCONTR_prf (a, b) => ["CCONTR", m a, t b]
        | Thm.NOT_INTRO_prf a => ["NOT_INTRO", t a]
        | Thm.NOT_ELIM_prf a => ["NOT_ELIM", t a]
        | Thm.CONJ_prf (a, b) => ["CONJ", t a, t b]
        | Thm.CONJUNCT1_prf a => ["CONJUNCT1", t a]
        | Thm.CONJUNCT2_prf a => ["CONJUNCT2", t a]
        | Thm.DISJ1_prf (a, b) => ["DISJ1", m b, t a]
        | Thm.DISJ2_prf (a, b) => ["DISJ2", m a, t b]
        | Thm.DISJ_CASES_prf (a, b, c) => ["DISJ_CASES", t a, t b, t c]
        | Thm.EXISTS_prf (a, b, c) => ["EXISTS", m a, m b, t c]
        | Thm.CHOOSE_prf (v, a, b) => ["CHOOSE", m v, t a, t b]
        | Thm.GEN_prf (v, a) => ["GEN", m v, t a]
        | Thm.GENL_prf (vs, a) => "GENL" :: t a :: map m vs
        | Thm.GEN_ABS_prf (c, vs, a) =>
            let val th = t a
            in "GEN_ABS" :: th :: (case c of NONE => "-1" | SOME c => m c) :: map m vs end
        | Thm.SPEC_prf (a, b) => ["SPEC", m a, t b]
        | Thm.Specialize_prf (a, b) => ["SPEC", m a, t b]
        | Thm.INST_prf (s, a) => let val th = t a in "INST" :: th :: pairs m m s end
        | Thm.INST_TYPE_prf (s, a) => let val th = t a in "INST_TYPE" :: th :: pairs y y s end
        | Thm.SUBST_prf (s, a, b) =>
            let val template = m a
                val th = t b
            in "SUBST" :: template :: th :: pairs m t s end
        | Thm.deductAntisym_prf (a, b) => ["deductAntisym", t a, t b]
        | Thm.Def_const_prf (a, c) => let val rhs = m a in ["DEF_CONST", rhs, constName c] end
        | Thm.Def_const_list_prf (a, cs) => let val th = t a in "DEF_CONST_LIST" :: th :: map constName cs end
        | Thm.Def_spec_prf (a, cs) => let val th = t a in "DEF_SPEC" :: th :: map constName cs end
        | Thm.Def_tyop_prf (vs, a, ty) =>
            let val th = t a in "DEF_TYOP" :: th :: typeName ty :: map y vs end
        | Thm.compute_prf (({char_eqns, ...}, codes), a) =>
            let
              val codeIds = map t codes
              val equations = List.concat (map (fn (name, th) => [escape name, t th]) char_eqns)
            in "COMPUTE" :: m a :: int (length codes) :: codeIds @ equations end
        | Thm.save_dep_prf _ => raise Fail "Tracing: saved twice"
        | Thm.Mark_prf _ => raise Fail "Tracing: marked twice"

      fun named (name, th, {class, ...} : RawTheory_dtype.thminfo) =
        let
          val id = t th
          val (oracles, axioms) = Tag.dest_tag (Thm.tag th)
          val letter =
            case class of RawTheory_dtype.Axm => "A" | RawTheory_dtype.Def => "D" | RawTheory_dtype.Thm => "T"
          fun list names = "[" ^ String.concatWith "," (map escape names) ^ "]"
          val statement = sequent th
        in line ("named" :: escape name :: letter :: id :: list oracles :: list axioms :: statement) end

      fun unnamed th =
        let
          val id = t th
          val statement = sequent th
        in line ("anon" :: id :: statement) end
    in
      writeTheorem := (fn th => ignore (t th));
      find (map #2 all_thms @ anon_thms);
      line ["theory", escape theory];
      List.app (fn (name, hash) => line ["parent", escape name, hash]) parents;
      List.app named all_thms;
      List.app unnamed anon_thms;
      (* What no theorem mentions. *)
      List.app
        (fn (name, arity) =>
          let val args = List.tabulate (arity, fn i => Type.mk_vartype ("'a" ^ int i))
          in ignore (typeId (Type.mk_thy_type {Thy = theory, Tyop = name, Args = args})) end)
        types;
      List.app (fn (name, _) => ignore (termId (Term.prim_mk_const {Thy = theory, Name = name}))) constants;
      line ["end", int (!typeCount), int (!nodeCount), int (!theoremCount)];
      TextIO.closeOut out
    end

  fun trace_theory name {theory, parents, types, constants, all_thms, anon_thms, mldeps = _} =
    export (String.concat [".hol/objs/", name, ".prf"])
      {theory = theory, parents = parents, types = types, constants = constants, all_thms = all_thms,
       anon_thms = anon_thms}

  (* The stock exporter writes a proof apart and leaves a reference in its place. A replay needs the proof itself, so
     it stays where it is. *)
  fun export_proof {file = _, tag = _} _ = ()

end
