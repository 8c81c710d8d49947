
# Plans, points, keys and other words come from the program. Words are those between blanks: bash divides them at `=` and `:` too,
# and puts back what stands behind the last of those.
_airtime_words() {
    local line="${COMP_LINE:0:COMP_POINT}" words word head found=()
    read -ra words <<< "$line"
    [[ "$line" == *[[:space:]] ]] && words+=("")
    while IFS= read -r word; do
        found+=("$word")
    done < <("${words[0]}" complete -- "${words[@]:1}" 2>/dev/null)
    if ((${#found[@]} == 0)); then
        _airtime "$@"
        return
    fi
    word="${words[${#words[@]} - 1]}"
    head="${word%"${word##*[=:]}"}"
    COMPREPLY=("${found[@]#"$head"}")
    # Plans of one's own stand beside the shipped ones.
    [[ "$word" == *[=:]* || "$word" == -* ]] || while IFS= read -r word; do
        COMPREPLY+=("$word")
    done < <(compgen -f -X '!*.toml' -- "$word")
    [[ "${found[*]}" == *= ]] && compopt -o nospace 2>/dev/null
    return 0
}
complete -F _airtime_words -o nosort -o bashdefault -o default airtime
