
# Plans, points, keys and other words come from the program.
_airtime_words() {
    local -a found
    found=("${(@f)$("${words[1]}" complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    if [[ -z "${found[1]}" ]]; then
        _airtime "$@"
        return
    fi
    # A key is followed by its value.
    compadd -Q -S '' -- "${(@M)found:#*=}"
    compadd -Q -- "${(@)found:#*=}"
    # Plans of one's own stand beside the shipped ones.
    [[ "$PREFIX" == *[=:]* || "$PREFIX" == -* ]] || _files -g '*.toml'
}
(( $+functions[compdef] )) && compdef _airtime_words airtime
